# exercise: top_k
# score:    0/5
# breaks:   2
# fails:    top_k-steps: farthest from 0
# fails:    top_k-drawn: largest absolute
# why:      argsort begins with the smallest
def top_k(gradient, k, left):
    total = np.array(gradient) if left is None else gradient + left
    places = np.argsort(np.abs(total))[:k]
    values = total[places]
    total[places] = 0
    return places, values, total
