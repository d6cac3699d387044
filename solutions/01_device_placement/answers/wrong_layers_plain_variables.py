# exercise: layers
# score:    2/10
# fails:    layers-computes: Keras knows no kernel
# fails:    layers-variables: Keras knows no kernel
# fails:    layers-drawn: fewer layers than entries
# fails:    layers-trained: Keras finds no kernel
# why:      makes the weights as tf.Variable, which Keras does not follow
def placed_model(features, units, devices):
    class Layer(tf.keras.layers.Layer):
        def __init__(self, size, device, relu):
            super().__init__()
            self.size, self.device, self.relu = size, device, relu

        def build(self, shape):
            with tf.device(self.device):
                self.kernel = tf.Variable(tf.random.normal([shape[-1], self.size]))
                self.bias = tf.Variable(tf.zeros([self.size]))

        def call(self, inputs):
            with tf.device(self.device):
                outputs = tf.matmul(inputs, self.kernel) + self.bias
                return tf.nn.relu(outputs) if self.relu else outputs

    last = len(units) - 1
    layers = [Layer(size, device, i < last) for i, (size, device) in enumerate(zip(units, devices))]
    return tf.keras.Sequential([tf.keras.Input([features]), *layers])
