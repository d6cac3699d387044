# exercise: top_k
# score:    0/5
# breaks:   5
# fails:    top_k-steps: changed in place
# fails:    top_k-drawn: changed in place
# why:      the gradient is changed
def top_k(gradient, k, left):
    total = gradient
    if left is not None:
        total += left
    places = np.argsort(-np.abs(total))[:k]
    values = total[places]
    total[places] = 0
    return places, values, total
