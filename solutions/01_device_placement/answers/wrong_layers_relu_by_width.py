# exercise: layers
# score:    7/10
# breaks:   3
# fails:    layers-drawn: compute something else
# why:      knows the last layer by its width, which another layer may have
class DenseOn(tf.keras.layers.Layer):
    def __init__(self, units, device, relu, **kw):
        super().__init__(**kw)
        self.units, self.device, self.relu = units, device, relu

    def build(self, shape):
        with tf.device(self.device):
            self.kernel = self.add_weight(shape=[shape[-1], self.units], name="kernel")
            self.bias = self.add_weight(shape=[self.units], initializer="zeros", name="bias")

    def call(self, inputs):
        with tf.device(self.device):
            h = inputs @ self.kernel + self.bias
            return tf.nn.relu(h) if self.relu else h


def placed_model(features, units, devices):
    layers = [tf.keras.Input([features])]
    for n, device in zip(units, devices):
        layers.append(DenseOn(n, device, relu=n != units[-1]))
    return tf.keras.Sequential(layers)
