# exercise: sum_early
# score:    2/8
# breaks:   6
# fails:    sum_early-order: an empty vector
# fails:    sum_early-drawn: an empty vector
# why:      an empty vector is sent where nothing is left over
def sum_early(gradients, limit, start):
    sums, started, bucket = {}, [], []

    def send_bucket():
        flat = np.concatenate([np.float32([]), *(gradient.reshape(-1) for _, gradient in bucket)])
        started.append((list(bucket), start(flat)))
        bucket.clear()

    for k, gradient in gradients:
        bucket.append((k, gradient))
        if sum(gradient.nbytes for _, gradient in bucket) >= limit:
            send_bucket()
    send_bucket()
    for parts, future in started:
        total, begin = future.result(), 0
        for k, gradient in parts:
            end = begin + gradient.size
            sums[k] = total[begin:end].reshape(gradient.shape)
            begin = end
    return sums
