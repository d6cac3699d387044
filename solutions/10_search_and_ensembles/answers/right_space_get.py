# exercise: space
# score:    8/8
# why:      hp.get for what was declared
def build_digits(hp, smallest, largest, slowest, fastest):
    hp.Choice("layers", [1, 2, 3], ordered=True)
    hp.Int("units", smallest, max_value=largest, step=2, sampling="log")
    hp.Float("rate", slowest, fastest, sampling="log")
    sgd = hp.Choice("optimizer", ["sgd", "adam"]) == "sgd"
    with hp.conditional_scope("optimizer", ["sgd"]):
        hp.Float("momentum", 0.0, 0.9)
    layers = [keras.layers.Dense(hp.get("units"), "relu") for _ in range(hp.get("layers"))]
    model = keras.Sequential([keras.Input([64])] + layers + [keras.layers.Dense(10, "softmax")])
    optimizer = keras.optimizers.SGD(hp.get("rate"), hp.get("momentum")) if sgd else keras.optimizers.Adam(hp.get("rate"))
    model.compile(optimizer, loss="sparse_categorical_crossentropy")
    return model


def look_at(values, limits):
    """Given, for the checks: what your function declares, and its model for these values."""
    return described(build_digits, values, *limits)
