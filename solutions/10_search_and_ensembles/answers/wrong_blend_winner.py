# exercise: blend
# score:    0/7
# fails:    blend-two: all the weight is on the best member
# fails:    blend-useless: neutral
# fails:    blend-zero: neutral
# fails:    blend-five: neutral
# why:      all the weight on the best member
def blend(probabilities, labels):
    right = np.maximum(probabilities[:, np.arange(len(labels)), labels], 1e-7)
    return np.eye(len(right))[np.log(right).mean(1).argmax()].tolist()
