# exercise: layers
# score:    2/10
# breaks:   2
# fails:    layers-computes: the biases are not
# fails:    layers-variables: knows no bias
# fails:    layers-drawn: the biases have not the shapes
# fails:    layers-trained: a bias stayed as it was
# why:      leaves out the biases
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
        model.add(DenseOn(size, device, activation="relu" if number < len(units) else None, use_bias=False))
    return model
