# exercise: layers
# score:    7/10
# breaks:   6
# fails:    layers-drawn: fewer layers than entries
# why:      keeps the layers in a dict by device, so a device that comes twice has one
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
    for number, (size, device) in enumerate({where: (size, where) for size, where in zip(units, devices)}.values(), start=1):
        model.add(DenseOn(size, device, activation="relu" if number < len(units) else None))
    return model
