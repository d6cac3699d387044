# exercise: all_reduce
# score:    11/11
# why:      the partial sum travels and is not kept on the way
def all_reduce(i, n, send, recv, flat):
    if n == 1:
        return flat.copy()
    size = int(np.ceil(flat.size / n))
    mine = np.zeros(n * size, flat.dtype)
    mine[: flat.size] = flat
    rows = [mine[c * size : (c + 1) * size] for c in range(n)]
    message = rows[i]
    for step in range(1, n):
        send(message)
        message = recv() + rows[(i - step) % n]
    done = {(i + 1) % n: message}
    for step in range(n - 1):
        send(message)
        message = recv()
        done[(i - step) % n] = message
    return np.concatenate([done[c] for c in range(n)])[: flat.size]
