# exercise: sum_early
# score:    2/8
# breaks:   2
# fails:    sum_early-order: count of bytes does not begin at 0 again
# fails:    sum_early-drawn: buckets end elsewhere
# why:      the bucket is emptied, the count of its bytes is not
def sum_early(gradients, limit, start):
    sums, started, bucket, size = {}, [], [], 0
    for k, gradient in gradients:
        bucket.append((k, gradient))
        size += gradient.nbytes
        if size >= limit:
            started.append((bucket, start(np.concatenate([g.reshape(-1) for _, g in bucket]))))
            bucket = []
    if bucket:
        started.append((bucket, start(np.concatenate([g.reshape(-1) for _, g in bucket]))))
    for parts, future in started:
        total, begin = future.result(), 0
        for k, gradient in parts:
            sums[k] = total[begin : begin + gradient.size].reshape(gradient.shape)
            begin += gradient.size
    return sums
