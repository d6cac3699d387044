# exercise: layers
# score:    2/10
# breaks:   2
# fails:    layers-computes: give it one dimension
# fails:    layers-variables: of the shape [units]
# fails:    layers-drawn: give it one dimension
# fails:    layers-trained: give it one dimension
# why:      the bias is a row of a matrix, of the shape [1, units]
class Affine(tf.keras.layers.Layer):
    def __init__(self, units, device, relu):
        super().__init__()
        self.units, self.device, self.relu = units, device, relu
    def build(self, shape):
        with tf.device(self.device):
            self.w = self.add_weight(shape=(shape[-1], self.units), initializer="random_normal")
            self.b = self.add_weight(shape=(1, self.units), initializer="zeros")
    def call(self, x):
        with tf.device(self.device):
            y = x @ self.w + self.b
            return tf.nn.relu(y) if self.relu else y

def placed_model(features, units, devices):
    return tf.keras.Sequential([tf.keras.Input((features,))] + [Affine(u, d, i < len(units) - 1) for i, (u, d) in enumerate(zip(units, devices))])
