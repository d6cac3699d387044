# exercise: sum_early
# score:    8/8
# why:      sums are taken apart by callbacks, and one event says that all are there
def sum_early(gradients, limit, start):
    import threading

    sums, parts, futures, all_there = {}, [], [], threading.Event()

    def send_bucket():
        futures.append((list(parts), start(np.concatenate([g.reshape(-1) for _, g in parts]))))
        parts.clear()

    def take_apart(collected, future):
        rest = future.result()
        for k, g in collected:
            sums[k], rest = rest[: g.size].reshape(g.shape), rest[g.size :]
        left.discard(future)
        if not left:
            all_there.set()

    for k, g in gradients:
        parts.append((k, g))
        if sum(g.nbytes for _, g in parts) >= limit:
            send_bucket()
    if parts:
        send_bucket()
    left = {future for _, future in futures}
    for collected, future in futures:
        future.add_done_callback(lambda future, collected=collected: take_apart(collected, future))
    all_there.wait(30)
    return sums
