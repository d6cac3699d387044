# exercise: space
# score:    8/8
# why:      inside of a model function, as a tuner would call it
def declare(hp, smallest, largest, slowest, fastest):
    layers = hp.Int("layers", min_value=1, max_value=3, step=1)
    hp.Int("units", smallest, largest, default=largest, step=2, sampling="log")
    if hp.Choice("optimizer", ["sgd", "adam"], default="adam"):
        with hp.conditional_scope("optimizer", "sgd"):
            hp.Float("momentum", 0, 0.9, default=0.5)
    hp.Float("rate", slowest, fastest, sampling="LOG", default=fastest)
    return layers

def space(smallest, largest, slowest, fastest):
    hp = kt.HyperParameters()
    declare(hp, smallest, largest, slowest, fastest)
    return hp.get_config()
