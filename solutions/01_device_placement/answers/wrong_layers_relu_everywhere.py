# exercise: layers
# score:    3/10
# breaks:   3
# fails:    layers-computes: the last layer ends with a ReLU, too
# fails:    layers-ops: the ReLU is not
# fails:    layers-drawn: compute something else
# why:      ends every layer with a ReLU
def placed_model(features, units, devices):
    class DenseOn(tf.keras.layers.Dense):
        def __init__(self, units, device, **options):
            super().__init__(units, **options)
            self.device = device

        def build(self, input_shape):
            with tf.device(self.device):
                super().build(input_shape)

        def call(self, inputs):
            with tf.device(self.device):
                return super().call(inputs)

    model = tf.keras.Sequential([tf.keras.Input([features])])
    for number, (size, device) in enumerate(zip(units, devices), start=1):
        model.add(DenseOn(size, device, activation="relu"))
    return model
