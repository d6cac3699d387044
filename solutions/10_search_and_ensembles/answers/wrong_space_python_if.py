# exercise: space
# score:    3/8
# fails:    space-values, space-condition, space-momentum
# says:     declared only when a condition held
# why:      a Python if: the branch is not run while the default is adam
def space(smallest, largest, slowest, fastest):
    hp = kt.HyperParameters()
    hp.Int("layers", 1, 3)
    hp.Int("units", smallest, largest, step=2, sampling="log")
    hp.Float("rate", slowest, fastest, sampling="log")
    optimizer = hp.Choice("optimizer", ["adam", "sgd"])
    if optimizer == "sgd":
        hp.Float("momentum", 0., 0.9)
    return hp.get_config()
