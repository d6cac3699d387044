# exercise: layers
# score:    3/10
# breaks:   4
# fails:    layers-variables: the kernels are right, the biases are not
# fails:    layers-ops: weights travel
# fails:    layers-drawn: a bias is not on the device
# why:      makes the bias outside of the scope
def placed_model(features, units, devices):
    class Layer(tf.keras.layers.Layer):
        def __init__(self, size, device, relu):
            super().__init__()
            self.size, self.device, self.relu = size, device, relu

        def build(self, shape):
            with tf.device(self.device):
                self.kernel = self.add_weight(shape=[shape[-1], self.size], name="kernel")
            self.bias = self.add_weight(shape=[self.size], name="bias")

        def call(self, inputs):
            with tf.device(self.device):
                outputs = tf.matmul(inputs, self.kernel) + self.bias
                return tf.nn.relu(outputs) if self.relu else outputs

    last = len(units) - 1
    layers = [Layer(size, device, i < last) for i, (size, device) in enumerate(zip(units, devices))]
    return tf.keras.Sequential([tf.keras.Input([features]), *layers])
