# exercise: top_k
# score:    2/5
# breaks:   4
# fails:    top_k-drawn: not of float32
# why:      left grows to float64, and the values with it
def top_k(gradient, k, left):
    total = np.array(gradient, np.float64) if left is None else gradient + left
    places = np.argsort(-np.abs(total))[:k]
    values = total[places]
    total[places] = 0
    return places, values, total
