# exercise: layers
# score:    10/10
# why:      a layer around any other layer; names and classes of its own
class OnDevice(tf.keras.layers.Layer):
    def __init__(self, inner, where):
        super().__init__()
        self.inner = inner
        self.where = where

    def build(self, shape):
        with tf.device(self.where):
            self.inner.build(shape)

    def call(self, values):
        with tf.device(self.where):
            return self.inner(values)

    def compute_output_shape(self, shape):
        return self.inner.compute_output_shape(shape)


def placed_model(features, units, devices):
    kinds = ["relu"] * (len(units) - 1) + ["linear"]
    parts = [tf.keras.layers.Dense(n, activation=kind) for n, kind in zip(units, kinds)]
    return tf.keras.Sequential([tf.keras.layers.InputLayer((features,)), *map(OnDevice, parts, devices)])
