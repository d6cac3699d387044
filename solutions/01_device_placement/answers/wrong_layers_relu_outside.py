# exercise: layers
# score:    5/10
# breaks:   5
# fails:    layers-ops: the ReLU is not
# fails:    layers-drawn: a ReLU is not on the device
# why:      the ReLU is a layer of its own, without a device
def placed_model(features, units, devices):
    class DenseOn(tf.keras.layers.Dense):
        def __init__(self, units, device):
            super().__init__(units)
            self.device = device

        def build(self, input_shape):
            with tf.device(self.device):
                super().build(input_shape)

        def call(self, inputs):
            with tf.device(self.device):
                return super().call(inputs)

    model = tf.keras.Sequential([tf.keras.Input([features])])
    for number, (size, device) in enumerate(zip(units, devices), start=1):
        model.add(DenseOn(size, device))
        if number < len(units):
            model.add(tf.keras.layers.ReLU())
    return model
