# exercise: sum_early
# score:    8/8
# why:      result with a limit by place
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
        total, begin = future.result(60), 0
        for k, gradient in parts:
            end = begin + gradient.size
            sums[k] = total[begin:end].reshape(gradient.shape)
            begin = end
    return sums
