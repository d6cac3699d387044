# exercise: layers
# score:    3/10
# breaks:   4
# fails:    layers-variables: all variables are on the default device
# fails:    layers-ops: weights travel
# fails:    layers-drawn: a kernel is not on the device
# why:      opens the scope in call, but the variables are made in build
def placed_model(features, units, devices):
    class DenseOn(tf.keras.layers.Dense):
        def __init__(self, units, device, **options):
            super().__init__(units, **options)
            self.device = device

        def build(self, input_shape):
            super().build(input_shape)

        def call(self, inputs):
            with tf.device(self.device):
                return super().call(inputs)

    model = tf.keras.Sequential([tf.keras.Input([features])])
    for number, (size, device) in enumerate(zip(units, devices), start=1):
        model.add(DenseOn(size, device, activation="relu" if number < len(units) else None))
    return model
