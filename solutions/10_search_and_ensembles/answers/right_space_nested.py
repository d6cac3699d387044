# exercise: space
# score:    8/8
# why:      the hidden layers are a model of their own
def build_digits(hp, smallest, largest, slowest, fastest):
    n = hp.Int("layers", 1, 3)
    u = hp.Int("units", smallest, largest, step=2, sampling="log")
    lr = hp.Float("rate", slowest, fastest, sampling="log")
    opt = hp.Choice("optimizer", ["sgd", "adam"])
    with hp.conditional_scope("optimizer", ["sgd"]):
        mom = hp.Float("momentum", 0.0, 0.9)
    hidden = keras.Sequential([keras.layers.Dense(u, "relu") for _ in range(n)], name="hidden")
    model = keras.Sequential([keras.Input([64]), hidden, keras.layers.Dense(10, "softmax")])
    model.compile(keras.optimizers.SGD(lr, mom) if opt == "sgd" else keras.optimizers.Adam(lr), "sparse_categorical_crossentropy")
    return model
