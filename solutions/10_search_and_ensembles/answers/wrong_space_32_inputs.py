# exercise: space
# score:    6/8
# breaks:   9
# fails:    space-model: other inputs than 64
# why:      half of the inputs
def build_digits(hp, smallest, largest, slowest, fastest):
    layers = hp.Int("layers", 1, 3)
    units = hp.Int("units", smallest, largest, step=2, sampling="log")
    rate = hp.Float("rate", slowest, fastest, sampling="log")
    name = hp.Choice("optimizer", ["sgd", "adam"])
    with hp.conditional_scope("optimizer", ["sgd"]):
        momentum = hp.Float("momentum", 0.0, 0.9)
    model = keras.Sequential([keras.Input([32])])
    for _ in range(layers):
        model.add(keras.layers.Dense(units, "relu"))
    model.add(keras.layers.Dense(10, "softmax"))
    optimizer = keras.optimizers.SGD(rate, momentum) if name == "sgd" else keras.optimizers.Adam(rate)
    model.compile(optimizer, "sparse_categorical_crossentropy")
    return model
