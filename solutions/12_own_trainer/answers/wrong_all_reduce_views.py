# exercise: all_reduce
# score:    10/11
# breaks:   8
# fails:    all_reduce-argument: flat was changed
# why:      the chunks are views of flat
def all_reduce(i, n, send, recv, flat):
    chunks = np.array_split(flat, n)
    for step in range(n - 1):
        send(chunks[(i - step) % n])
        chunks[(i - step - 1) % n] += recv()
    for step in range(n - 1):
        send(chunks[(i + 1 - step) % n])
        chunks[(i - step) % n][:] = recv()
    return flat.copy()
