# exercise: space
# score:    8/8
# why:      a class of its own, built by build()
class Digits(keras.Model):
    def __init__(self, layers, units):
        super().__init__()
        self.hidden = [keras.layers.Dense(units, activation="relu") for _ in range(layers)]
        self.last = keras.layers.Dense(10, activation="softmax")
    def call(self, x):
        for layer in self.hidden:
            x = layer(x)
        return self.last(x)

def build_digits(hp, smallest, largest, slowest, fastest):
    n = hp.Int("layers", 1, 3)
    u = hp.Int("units", smallest, largest, step=2, sampling="log")
    lr = hp.Float("rate", slowest, fastest, sampling="log")
    opt = hp.Choice("optimizer", ["sgd", "adam"])
    with hp.conditional_scope("optimizer", ["sgd"]):
        mom = hp.Float("momentum", 0.0, 0.9)
    model = Digits(n, u)
    model.build((None, 64))
    model.compile(optimizer=keras.optimizers.SGD(lr, momentum=mom) if opt == "sgd" else keras.optimizers.Adam(lr), loss="sparse_categorical_crossentropy")
    return model
