# exercise: top_k
# score:    0/5
# breaks:   4
# fails:    top_k-steps: is not sent now either, is lost
# fails:    top_k-drawn: what is not sent is lost
# why:      what is kept is the gradient without what is sent; what was left before is forgotten after one step
def top_k(gradient, k, left):
    total = np.array(gradient) if left is None else gradient + left
    places = np.argsort(-np.abs(total))[:k]
    rest = np.array(gradient)
    rest[places] = 0
    return places, total[places], rest
