# exercise: top_k
# score:    0/5
# breaks:   3
# fails:    top_k-steps: lost their signs
# fails:    top_k-drawn: with their signs
# why:      the values are sent without their signs
def top_k(gradient, k, left):
    total = np.array(gradient) if left is None else gradient + left
    places = np.argsort(-np.abs(total))[:k]
    values = np.abs(total[places])
    total[places] = 0
    return places, values, total
