# exercise: space
# score:    8/8
# why:      a function for the space, one for the model
def declared(hp, smallest, largest, slowest, fastest):
    found = {"layers": hp.Int("layers", 1, 3), "optimizer": hp.Choice("optimizer", ["sgd", "adam"])}
    with hp.conditional_scope("optimizer", ["sgd"]):
        found["momentum"] = hp.Float("momentum", 0.0, 0.9, sampling="linear")
    found["rate"] = hp.Float("rate", slowest, fastest, sampling="log")
    found["units"] = hp.Int("units", smallest, largest, step=2, sampling="log")
    return found

def build_digits(hp, *limits):
    trial = declared(hp, *limits)
    model = keras.Sequential()
    model.add(keras.Input([64]))
    while len(model.layers) < trial["layers"]:
        model.add(keras.layers.Dense(trial["units"], activation="relu"))
    model.add(keras.layers.Dense(10, activation="softmax"))
    settings = {"learning_rate": trial["rate"]}
    if trial["momentum"] is not None:
        settings["momentum"] = trial["momentum"]
    optimizer = keras.optimizers.get({"class_name": trial["optimizer"], "config": settings})
    model.compile(optimizer, "sparse_categorical_crossentropy")
    return model


def look_at(values, limits):
    """Given, for the checks: what your function declares, and its model for these values."""
    return described(build_digits, values, *limits)
