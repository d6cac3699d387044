# exercise: layers
# score:    10/10
# why:      a ReLU by tf.where, at the end of its layer
def placed_model(features, units, devices):
    class DenseOn(tf.keras.layers.Dense):
        def __init__(self, units, device, last, **options):
            super().__init__(units, **options)
            self.device, self.last = device, last
        def build(self, s):
            with tf.device(self.device):
                super().build(s)
        def call(self, inputs):
            with tf.device(self.device):
                outputs = super().call(inputs)
                return outputs if self.last else tf.where(outputs > 0., outputs, 0.)
    model = tf.keras.Sequential([tf.keras.Input([features])])
    for n, (size, device) in enumerate(zip(units, devices)):
        model.add(DenseOn(size, device, n == len(units) - 1))
    return model
