# exercise: space
# score:    8/8
# why:      the functional API, other defaults
def build_digits(hp, smallest, largest, slowest, fastest):
    units = hp.Int("units", smallest, largest, default=largest, step=2, sampling="LOG")
    inputs = keras.Input(shape=(64,))
    x = inputs
    for _ in range(hp.Int("layers", min_value=1, max_value=3, step=1)):
        x = tf.keras.layers.Dense(units, tf.nn.relu)(x)
    model = keras.Model(inputs, keras.layers.Dense(10, "softmax")(x))
    rate = hp.Float("rate", slowest, fastest, default=fastest, sampling="log")
    optimizer = keras.optimizers.Adam(learning_rate=rate)
    if hp.Choice("optimizer", ["sgd", "adam"], default="adam") == "sgd":
        with hp.conditional_scope("optimizer", "sgd"):
            optimizer = keras.optimizers.SGD(rate, hp.Float("momentum", 0, 0.9, default=0.5))
    with hp.conditional_scope("optimizer", "sgd"):
        hp.Float("momentum", 0, 0.9, default=0.5)
    model.compile(loss="sparse_categorical_crossentropy", optimizer=optimizer)
    return model


def look_at(values, limits):
    """Given, for the checks: what your function declares, and its model for these values."""
    return described(build_digits, values, *limits)
