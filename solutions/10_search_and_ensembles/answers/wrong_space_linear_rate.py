# exercise: space
# score:    5/8
# fails:    space-rate, space-other
# says:     the scale is linear
# why:      the learning rate is drawn evenly
def space(smallest, largest, slowest, fastest):
    hp = kt.HyperParameters()
    hp.Int("layers", 1, 3)
    hp.Int("units", smallest, largest, step=2, sampling="log")
    hp.Float("rate", slowest, fastest)
    hp.Choice("optimizer", ["sgd", "adam"])
    with hp.conditional_scope("optimizer", ["sgd"]):
        hp.Float("momentum", 0., 0.9)
    return hp.get_config()
