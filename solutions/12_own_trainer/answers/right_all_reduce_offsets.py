# exercise: all_reduce
# score:    11/11
# why:      one long array, cut by offsets
def all_reduce(i, n, send, recv, flat):
    size = (flat.size + n - 1) // n
    whole = np.pad(flat, (0, n * size - flat.size))

    def part(c):
        first = c % n * size
        return slice(first, first + size)

    for k in range(i, i - n + 1, -1):
        send(whole[part(k)])
        whole[part(k - 1)] += recv()
    for k in range(i + 1, i - n + 2, -1):
        send(whole[part(k)])
        whole[part(k - 1)] = recv()
    return whole[: flat.size]
