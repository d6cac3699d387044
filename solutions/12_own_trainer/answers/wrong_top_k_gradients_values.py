# exercise: top_k
# score:    0/5
# breaks:   3
# fails:    top_k-steps: values are those of the gradient
# fails:    top_k-drawn: with their signs
# why:      the values are those of the gradient, without what was left
def top_k(gradient, k, left):
    total = np.array(gradient) if left is None else gradient + left
    places = np.argsort(-np.abs(total))[:k]
    values = gradient[places]
    total[places] = 0
    return places, values, total
