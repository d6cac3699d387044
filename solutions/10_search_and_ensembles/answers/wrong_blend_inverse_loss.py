# exercise: blend
# score:    0/7
# fails:    blend-two: in proportion to 1 / loss
# fails:    blend-useless: neutral
# fails:    blend-zero: neutral
# fails:    blend-five: neutral
# why:      weights in proportion to 1 / loss
def blend(probabilities, labels):
    right = np.maximum(probabilities[:, np.arange(len(labels)), labels], 1e-7)
    inverse = 1 / -np.log(right).mean(1)
    return (inverse / inverse.sum()).tolist()
