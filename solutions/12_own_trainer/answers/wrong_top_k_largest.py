# exercise: top_k
# score:    0/5
# breaks:   2
# fails:    top_k-steps: without the negative ones
# fails:    top_k-drawn: largest absolute
# why:      the largest values, not the farthest from 0
def top_k(gradient, k, left):
    total = np.array(gradient) if left is None else gradient + left
    places = np.argsort(-total)[:k]
    values = total[places]
    total[places] = 0
    return places, values, total
