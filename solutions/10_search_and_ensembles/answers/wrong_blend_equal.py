# exercise: blend
# score:    0/7
# fails:    blend-two: the weights are equal
# fails:    blend-useless: the weights are equal
# fails:    blend-five: neutral
# fails:    blend-zero: neutral
# why:      equal weights
def blend(probabilities, labels):
    return [1.0 / len(probabilities)] * len(probabilities)
