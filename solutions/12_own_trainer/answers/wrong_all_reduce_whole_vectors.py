# exercise: all_reduce
# score:    6/11
# breaks:   4
# fails:    all_reduce-bytes: whole vectors are sent
# fails:    all_reduce-lengths: more is sent than
# why:      whole vectors go round
def all_reduce(i, n, send, recv, flat):
    found = {i: flat}
    for step in range(n - 1):
        send(found[(i - step) % n])
        found[(i - step - 1) % n] = recv()
    total = np.zeros_like(flat)
    for k in range(n):
        total = total + found[k]
    return total
