# exercise: space
# score:    8/8
# why:      units and layers as choices, momentum by parent_name
def build_digits(hp, smallest, largest, slowest, fastest):
    sizes = [smallest]
    while sizes[-1] < largest:
        sizes.append(2 * sizes[-1])
    kind = hp.Choice("optimizer", ["adam", "sgd"])
    momentum = hp.Float("momentum", 0.0, 0.9, parent_name="optimizer", parent_values=["sgd"])
    units, layers = hp.Choice("units", sizes), hp.Choice("layers", [1, 2, 3])
    rate = hp.Float("rate", min_value=slowest, max_value=fastest, sampling="log")
    hidden = [keras.layers.Dense(units, activation="relu") for _ in range(layers)]
    model = keras.Sequential([keras.layers.Input((64,)), *hidden, keras.layers.Dense(10, activation="softmax")])
    makers = {"adam": lambda: keras.optimizers.Adam(rate), "sgd": lambda: keras.optimizers.SGD(rate, momentum=momentum)}
    model.compile(optimizer=makers[kind](), loss="sparse_categorical_crossentropy", metrics=["accuracy"])
    return model


def look_at(values, limits):
    """Given, for the checks: what your function declares, and its model for these values."""
    return described(build_digits, values, *limits)
