# exercise: top_k
# score:    0/5
# breaks:   1
# fails:    top_k-steps: left before is not added
# fails:    top_k-drawn: largest absolute
# why:      left is not added: small and steady entries are never heard
def top_k(gradient, k, left):
    total = np.array(gradient)
    places = np.argsort(-np.abs(total))[:k]
    values = total[places]
    total[places] = 0
    return places, values, total
