# exercise: blend
# score:    0/9
# fails:    blend-two, blend-useless, blend-diverse, blend-zero, blend-five
# says:     equal weights
# why:      equal weights
def blend(probabilities, labels):
    return [1 / len(probabilities)] * len(probabilities)
