# exercise: layers
# score:    5/10
# breaks:   5
# fails:    layers-ops: an addition is not
# fails:    layers-drawn: an addition is not on the device of its layer
# why:      closes the scope before the bias is added
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
            h = inputs @ self.kernel
        h = h + self.bias
        with tf.device(self.device):
            return tf.nn.relu(h) if self.relu else h


def placed_model(features, units, devices):
    layers = [tf.keras.Input([features])]
    for i, (n, device) in enumerate(zip(units, devices)):
        layers.append(DenseOn(n, device, relu=i < len(units) - 1))
    return tf.keras.Sequential(layers)
