# exercise: blend
# score:    0/9
# fails:    blend-two, blend-useless, blend-diverse, blend-zero, blend-five
# says:     in proportion to the accuracy
# why:      weights in proportion to the accuracy
def blend(probabilities, labels):
    a = (probabilities.argmax(2) == labels).mean(1)
    return (a / a.sum()).tolist()
