# exercise: all_reduce
# score:    8/11
# breaks:   5
# fails:    all_reduce-lengths: add zeros at the end
# why:      np.split wants a length that divides
def all_reduce(i, n, send, recv, flat):
    chunks = np.split(flat.copy(), n)
    for step in range(n - 1):
        send(chunks[(i - step) % n])
        chunks[(i - step - 1) % n] += recv()
    for step in range(n - 1):
        send(chunks[(i + 1 - step) % n])
        chunks[(i - step) % n] = recv()
    return np.concatenate(chunks)
