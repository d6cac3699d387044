# exercise: blend
# score:    0/9
# fails:    blend-two, blend-useless, blend-diverse, blend-zero, blend-five
# says:     all the weight is on the best member
# why:      all the weight on the best member
def blend(probabilities, labels):
    right = probabilities[:, np.arange(len(labels)), labels]
    losses = -np.log(np.maximum(right, 1e-7)).mean(1)
    return np.eye(len(losses))[losses.argmin()].tolist()
