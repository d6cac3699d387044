# exercise: space
# score:    6/8
# fails:    space-condition
# says:     more than momentum stands inside
# why:      everything after the optimizer is inside of the condition
def space(smallest, largest, slowest, fastest):
    hp = kt.HyperParameters()
    hp.Int("layers", 1, 3)
    hp.Int("units", smallest, largest, step=2, sampling="log")
    hp.Choice("optimizer", ["sgd", "adam"])
    with hp.conditional_scope("optimizer", ["sgd"]):
        hp.Float("momentum", 0., 0.9)
        hp.Float("rate", slowest, fastest, sampling="log")
    return hp.get_config()
