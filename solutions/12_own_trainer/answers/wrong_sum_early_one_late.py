# exercise: sum_early
# score:    2/8
# breaks:   1
# fails:    sum_early-order: only after the next gradient is taken
# fails:    sum_early-drawn: buckets end elsewhere
# why:      looks at the bucket before a gradient goes in, so a full one waits for the next
def sum_early(gradients, limit, start):
    sums, started, bucket = {}, [], []
    for k, gradient in gradients:
        if sum(g.nbytes for _, g in bucket) >= limit:
            started.append((bucket, start(np.concatenate([g.reshape(-1) for _, g in bucket]))))
            bucket = []
        bucket.append((k, gradient))
    started.append((bucket, start(np.concatenate([g.reshape(-1) for _, g in bucket]))))
    for parts, future in started:
        total, begin = future.result(), 0
        for k, gradient in parts:
            sums[k] = total[begin : begin + gradient.size].reshape(gradient.shape)
            begin += gradient.size
    return sums
