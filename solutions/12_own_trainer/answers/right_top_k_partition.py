# exercise: top_k
# score:    5/5
# why:      argpartition, in any order; lists are as good
def top_k(gradient, k, left):
    total = np.float32(gradient + (0 if left is None else left))
    places = np.argpartition(np.abs(total), len(total) - k)[-k:]
    rest = total.copy()
    rest[places] = 0
    return places, total[places], rest
