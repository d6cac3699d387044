# exercise: space
# score:    6/8
# breaks:   1
# fails:    space-values: layers does not take the values
# why:      the largest number of layers is left out
def build_digits(hp, smallest, largest, slowest, fastest):
    layers = hp.Int("layers", 1, 2)
    units = hp.Int("units", smallest, largest, step=2, sampling="log")
    rate = hp.Float("rate", slowest, fastest, sampling="log")
    name = hp.Choice("optimizer", ["sgd", "adam"])
    with hp.conditional_scope("optimizer", ["sgd"]):
        momentum = hp.Float("momentum", 0.0, 0.9)
    model = keras.Sequential([keras.Input([64])])
    for _ in range(layers):
        model.add(keras.layers.Dense(units, "relu"))
    model.add(keras.layers.Dense(10, "softmax"))
    if name == "sgd":
        optimizer = keras.optimizers.SGD(rate, momentum)
    else:
        optimizer = keras.optimizers.Adam(rate)
    model.compile(optimizer, "sparse_categorical_crossentropy")
    return model

def look_at(values, limits):
    """Given, for the checks: what your function declares, and its model for these values."""
    return described(build_digits, values, *limits)
