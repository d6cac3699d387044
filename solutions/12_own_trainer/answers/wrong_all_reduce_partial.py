# exercise: all_reduce
# score:    0/11
# fails:    all_reduce-sum: write it with `def`
# fails:    all_reduce-bytes: write it with `def`
# fails:    all_reduce-argument: write it with `def`
# fails:    all_reduce-lengths: write it with `def`
# fails:    all_reduce-types: write it with `def`
# fails:    all_reduce-alone: write it with `def`
# why:      an object that can be called, which has no text for the file
import functools


def reduce_with(np, i, n, send, recv, flat):
    parts = np.array_split(flat, n)
    for s in range(n - 1):
        send(parts[(i - s) % n])
        k = (i - s - 1) % n
        parts[k] = parts[k] + recv()
    for s in range(n - 1):
        send(parts[(i + 1 - s) % n])
        parts[(i - s) % n] = recv()
    return np.concatenate(parts)


all_reduce = functools.partial(reduce_with, np)
