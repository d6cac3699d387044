# exercise: top_k
# score:    0/5
# breaks:   2
# fails:    top_k-steps: chosen by the gradient alone
# fails:    top_k-drawn: largest absolute
# why:      places are chosen by the gradient alone
def top_k(gradient, k, left):
    total = np.array(gradient) if left is None else gradient + left
    places = np.argsort(-np.abs(gradient))[:k]
    values = total[places]
    total[places] = 0
    return places, values, total
