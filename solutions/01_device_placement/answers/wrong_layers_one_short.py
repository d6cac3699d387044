# exercise: layers
# score:    0/10
# breaks:   2
# fails:    layers-computes: there is one layer
# fails:    layers-variables: neutral
# fails:    layers-ops: not one matrix product for each layer
# fails:    layers-drawn: fewer layers than entries
# fails:    layers-trained: neutral
# why:      takes the last size for the output of the layer before
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
    for number, (size, device) in enumerate(zip(units[:-1], devices), start=1):
        model.add(DenseOn(size, device, activation="relu" if number < len(units) else None))
    return model
