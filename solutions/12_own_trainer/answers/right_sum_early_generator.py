# exercise: sum_early
# score:    8/8
# why:      buckets by a generator, whose next bucket is asked for after the last was sent
def sum_early(gradients, limit, start):
    def buckets():
        bucket = {}
        for k, gradient in gradients:
            bucket[k] = gradient
            if sum(g.nbytes for g in bucket.values()) >= limit:
                yield bucket
                bucket = {}
        if bucket:
            yield bucket

    started = []
    for bucket in buckets():
        started.append((bucket, start(tf.concat([tf.reshape(g, [-1]) for g in bucket.values()], 0))))
    sums = {}
    for bucket, future in started:
        rest = np.asarray(future.result())
        for k, g in bucket.items():
            sums[k], rest = rest[: g.size].reshape(g.shape), rest[g.size :]
    return sums
