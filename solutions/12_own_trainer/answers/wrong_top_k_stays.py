# exercise: top_k
# score:    0/5
# breaks:   4
# fails:    top_k-steps: left is what is not sent
# fails:    top_k-drawn: what is not sent is lost
# why:      what is sent stays in left, and is sent again
def top_k(gradient, k, left):
    total = np.array(gradient) if left is None else gradient + left
    places = np.argsort(-np.abs(total))[:k]
    values = total[places]
    return places, values, total
