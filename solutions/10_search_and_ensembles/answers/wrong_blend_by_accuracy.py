# exercise: blend
# score:    0/7
# fails:    blend-two: in proportion to the accuracy
# fails:    blend-useless: neutral
# fails:    blend-zero: neutral
# fails:    blend-five: neutral
# why:      weights in proportion to the accuracy
def blend(probabilities, labels):
    right = (probabilities.argmax(2) == labels).mean(1)
    return (right / right.sum()).tolist()
