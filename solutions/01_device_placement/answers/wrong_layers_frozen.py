# exercise: layers
# score:    9/10
# breaks:   7
# fails:    layers-trained: fit does not train it
# why:      freezes the layers
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
        model.add(DenseOn(size, device, activation="relu" if number < len(units) else None))
    model.trainable = False
    return model
