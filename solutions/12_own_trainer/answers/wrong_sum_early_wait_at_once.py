# exercise: sum_early
# score:    2/8
# breaks:   3
# fails:    sum_early-order: it waits for a sum while gradients
# fails:    sum_early-drawn: it waits before all
# why:      concurrent.futures.wait right after start: waiting is not only result()
def sum_early(gradients, limit, start):
    from concurrent.futures import wait

    sums, started, bucket = {}, [], []

    def send_bucket():
        flat = np.concatenate([gradient.reshape(-1) for _, gradient in bucket])
        future = start(flat)
        wait([future])
        started.append((list(bucket), future))
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
            sums[k] = total[begin:end].reshape(gradient.shape)
            begin = end
    return sums
