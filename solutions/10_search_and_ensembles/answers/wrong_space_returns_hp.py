# exercise: space
# score:    0/8
# fails:    space-values, space-rate, space-condition, space-other, space-momentum
# says:     return hp.get_config()
# why:      returns the object
def space(smallest, largest, slowest, fastest):
    hp = kt.HyperParameters()
    hp.Int("layers", 1, 3)
    hp.Int("units", smallest, largest, step=2, sampling="log")
    hp.Float("rate", slowest, fastest, sampling="log")
    hp.Choice("optimizer", ["sgd", "adam"])
    with hp.conditional_scope("optimizer", ["sgd"]):
        hp.Float("momentum", 0., 0.9)
    return hp
