# exercise: space
# score:    4/8
# fails:    space-values, space-other
# says:     units takes each whole number
# why:      units takes every whole number
def space(smallest, largest, slowest, fastest):
    hp = kt.HyperParameters()
    hp.Int("layers", 1, 3)
    hp.Int("units", smallest, largest)
    hp.Float("rate", slowest, fastest, sampling="log")
    hp.Choice("optimizer", ["sgd", "adam"])
    with hp.conditional_scope("optimizer", ["sgd"]):
        hp.Float("momentum", 0., 0.9)
    return hp.get_config()
