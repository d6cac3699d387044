# exercise: layers
# score:    5/10
# breaks:   5
# fails:    layers-ops: the sum before it
# fails:    layers-drawn: the sum before it
# why:      each layer begins with the ReLU of the layer before, by tf.where
def placed_model(features, units, devices):
    class DenseOn(tf.keras.layers.Dense):
        def __init__(self, units, device, first, **options):
            super().__init__(units, **options)
            self.device, self.first = device, first
        def build(self, s):
            with tf.device(self.device):
                super().build(s)
        def call(self, inputs):
            with tf.device(self.device):
                if not self.first:
                    inputs = tf.where(inputs > 0., inputs, 0.)
                return super().call(inputs)
    model = tf.keras.Sequential([tf.keras.Input([features])])
    for n, (size, device) in enumerate(zip(units, devices)):
        model.add(DenseOn(size, device, n == 0))
    return model
