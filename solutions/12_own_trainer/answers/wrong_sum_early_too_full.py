# exercise: sum_early
# score:    2/8
# breaks:   1
# fails:    sum_early-order: ends before it has limit bytes
# fails:    sum_early-drawn: buckets end elsewhere
# why:      a bucket is closed when the next gradient would be too much for it
def sum_early(gradients, limit, start):
    sums, started, bucket = {}, [], []

    def send_bucket():
        flat = np.concatenate([gradient.reshape(-1) for _, gradient in bucket])
        started.append((list(bucket), start(flat)))
        bucket.clear()

    for k, gradient in gradients:
        if bucket and sum(g.nbytes for _, g in bucket) + gradient.nbytes > limit:
            send_bucket()
        bucket.append((k, gradient))
    if bucket:
        send_bucket()
    for parts, future in started:
        total, begin = future.result(), 0
        for k, gradient in parts:
            end = begin + gradient.size
            sums[k] = total[begin:end].reshape(gradient.shape)
            begin = end
    return sums
