# exercise: space
# score:    8/8
# why:      units and layers as choices, momentum by parent_name
def space(smallest, largest, slowest, fastest):
    hp, units = kt.HyperParameters(), [smallest]
    while units[-1] < largest:
        units.append(2 * units[-1])
    hp.Choice("optimizer", ["adam", "sgd"])
    hp.Float("momentum", 0., 0.9, parent_name="optimizer", parent_values=["sgd"])
    hp.Choice("units", units)
    hp.Choice("layers", [1, 2, 3])
    hp.Float("rate", min_value=slowest, max_value=fastest, sampling="log")
    return hp.get_config()
