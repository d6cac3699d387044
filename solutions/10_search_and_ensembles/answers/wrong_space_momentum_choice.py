# exercise: space
# score:    7/8
# fails:    space-momentum
# says:     its scale is linear, from 0 to 0.9
# why:      momentum goes up to 0.99
def space(smallest, largest, slowest, fastest):
    hp = kt.HyperParameters()
    hp.Int("layers", 1, 3)
    hp.Int("units", smallest, largest, step=2, sampling="log")
    hp.Float("rate", slowest, fastest, sampling="log")
    hp.Choice("optimizer", ["sgd", "adam"])
    with hp.conditional_scope("optimizer", ["sgd"]):
        hp.Float("momentum", 0., 0.99)
    return hp.get_config()
