# exercise: layers
# score:    9/10
# breaks:   7
# fails:    layers-trained: a bias stayed as it was
# why:      fit does not train the biases
def placed_model(features, units, devices):
    """Build a chain of dense layers, each on its device.

    Args:
        features: int, columns of the input.
        units: list of int, the number of outputs of each layer, at least one.
        devices: list of str such as "CPU:1", the device of each layer, as many as units.
    Returns:
        a Keras model.
    """
    class DenseOn(tf.keras.layers.Dense):
        def __init__(self, units, device, **options):
            super().__init__(units, **options)
            self.device = device

        def build(self, input_shape):
            with tf.device(self.device):
                super().build(input_shape)
                self.bias.trainable = False

        def call(self, inputs):
            with tf.device(self.device):
                return super().call(inputs)

    model = tf.keras.Sequential([tf.keras.Input([features])])
    for number, (size, device) in enumerate(zip(units, devices), start=1):
        model.add(DenseOn(size, device, activation="relu" if number < len(units) else None))
    return model

def layers_report(features, units, devices, kernels, biases, x):
    """Given, for the checks: your model with these weights, run once, and where all of it was."""
    return report_model(placed_model(features, units, devices), kernels, biases, x)

def layers_trained(features, units, devices, x):
    """Given, for the checks: your model after an epoch of fit."""
    return train_model(placed_model(features, units, devices), x)

