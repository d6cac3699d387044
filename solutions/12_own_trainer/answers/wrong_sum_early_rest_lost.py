# exercise: sum_early
# score:    3/8
# breaks:   5
# fails:    sum_early-sums: left over after the last gradient is not sent
# fails:    sum_early-drawn: left over after the last gradient is not sent
# why:      what is left over is never sent
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
    for parts, future in started:
        total, begin = future.result(), 0
        for k, gradient in parts:
            end = begin + gradient.size
            sums[k] = total[begin:end].reshape(gradient.shape)
            begin = end
    return sums
