# exercise: space
# score:    6/8
# fails:    space-other
# says:     written out
# why:      the numbers of the example are written out
def space(smallest, largest, slowest, fastest):
    hp = kt.HyperParameters()
    hp.Int("layers", 1, 3)
    hp.Int("units", 8, 64, step=2, sampling="log")
    hp.Float("rate", 0.001, 0.1, sampling="log")
    hp.Choice("optimizer", ["sgd", "adam"])
    with hp.conditional_scope("optimizer", ["sgd"]):
        hp.Float("momentum", 0., 0.9)
    return hp.get_config()
