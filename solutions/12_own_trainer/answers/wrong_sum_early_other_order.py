# exercise: sum_early
# score:    3/8
# breaks:   7
# fails:    sum_early-sums: a sum is another's
# fails:    sum_early-drawn: the sums are not right
# why:      parts are given to the keys in another order than they were joined
def sum_early(gradients, limit, start):
    sums, started, bucket = {}, [], []

    def send_bucket():
        flat = np.concatenate([gradient.reshape(-1) for _, gradient in bucket])
        started.append((list(bucket), start(flat)))
        bucket.clear()

    for k, gradient in gradients:
        bucket.append((k, gradient))
        if sum(gradient.nbytes for _, gradient in bucket) >= limit:
            send_bucket()
    if bucket:
        send_bucket()
    for parts, future in started:
        total, begin = future.result(), 0
        for k, gradient in sorted(parts, key=lambda part: part[0]):
            end = begin + gradient.size
            sums[k] = total[begin:end].reshape(gradient.shape)
            begin = end
    return sums
