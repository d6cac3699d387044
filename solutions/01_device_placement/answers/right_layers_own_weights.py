# exercise: layers
# score:    10/10
# why:      add_weight, a product, an addition and tf.maximum by hand; the bias comes first
class Affine(tf.keras.layers.Layer):
    def __init__(self, size, device, last):
        super().__init__()
        self.size, self.where, self.last = size, "/device:" + device, last

    def build(self, shape):
        with tf.device(self.where):
            self.shift = self.add_weight(shape=(self.size,), initializer="zeros", name="shift")
            self.turn = self.add_weight(shape=(int(shape[-1]), self.size), initializer="glorot_uniform", name="turn")

    def call(self, inputs):
        with tf.device(self.where):
            outputs = tf.linalg.matmul(inputs, self.turn) + self.shift
            return outputs if self.last else tf.maximum(outputs, 0.0)


def placed_model(features, units, devices):
    model = tf.keras.Sequential()
    model.add(tf.keras.Input(shape=(features,)))
    for i in range(len(units)):
        model.add(Affine(units[i], devices[i], last=i == len(units) - 1))
    return model
