# exercise: layers
# score:    10/10
# why:      Keras's EinsumDense
class Placed(tf.keras.layers.EinsumDense):
    def __init__(self, units, device, **kw):
        super().__init__("ab,bc->ac", output_shape=(units,), bias_axes="c", **kw)
        self.place = device
    def build(self, shape):
        with tf.device(self.place):
            super().build(shape)
    def call(self, x, training=None):
        with tf.device(self.place):
            return super().call(x)

def placed_model(features, units, devices):
    x = inputs = tf.keras.Input((features,))
    for i, (u, d) in enumerate(zip(units, devices)):
        x = Placed(u, d, activation="relu" if i + 1 < len(units) else None)(x)
    return tf.keras.Model(inputs=inputs, outputs=x)
