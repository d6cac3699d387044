# exercise: space
# score:    4/8
# fails:    space-values, space-other
# says:     the largest number of units belongs
# why:      a range without its end
def space(smallest, largest, slowest, fastest):
    hp = kt.HyperParameters()
    hp.Int("layers", 1, 3)
    hp.Choice("units", [2 ** k for k in range(int(np.log2(smallest)), int(np.log2(largest)))])
    hp.Float("rate", slowest, fastest, sampling="log")
    hp.Choice("optimizer", ["sgd", "adam"])
    with hp.conditional_scope("optimizer", ["sgd"]):
        hp.Float("momentum", 0., 0.9)
    return hp.get_config()
