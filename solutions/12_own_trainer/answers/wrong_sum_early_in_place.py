# exercise: sum_early
# score:    3/8
# breaks:   8
# fails:    sum_early-sums: changed in place
# fails:    sum_early-drawn: changed in place
# why:      the sums are written into the gradients
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
        for k, gradient in parts:
            end = begin + gradient.size
            gradient[...] = total[begin:end].reshape(gradient.shape)
            sums[k] = gradient
            begin = end
    return sums
