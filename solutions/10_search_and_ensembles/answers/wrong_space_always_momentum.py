# exercise: space
# score:    6/8
# fails:    space-condition
# says:     momentum has no condition
# why:      momentum has no condition
def space(smallest, largest, slowest, fastest):
    hp = kt.HyperParameters()
    hp.Int("layers", 1, 3)
    hp.Int("units", smallest, largest, step=2, sampling="log")
    hp.Float("rate", slowest, fastest, sampling="log")
    hp.Choice("optimizer", ["sgd", "adam"])
    hp.Float("momentum", 0., 0.9)
    return hp.get_config()
