# exercise: all_reduce
# score:    11/11
# why:      chunks of two sizes instead of zeros
def all_reduce(i, n, send, recv, flat):
    chunks = [np.array(part) for part in np.array_split(flat, n)]
    c = i
    for step in range(2 * n - 2):
        send(chunks[c])
        c = (c - 1) % n
        came = recv()
        chunks[c] = chunks[c] + came if step < n - 1 else came
    return np.concatenate(chunks)
