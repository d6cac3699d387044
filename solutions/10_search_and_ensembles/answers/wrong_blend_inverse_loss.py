# exercise: blend
# score:    0/9
# fails:    blend-two, blend-useless, blend-diverse, blend-zero, blend-five
# says:     in proportion to 1 / loss
# why:      weights in proportion to 1 / loss
def blend(probabilities, labels):
    right = probabilities[:, np.arange(len(labels)), labels]
    losses = -np.log(np.maximum(right, 1e-7)).mean(1)
    return (1 / losses / (1 / losses).sum()).tolist()
