# exercise: layers
# score:    10/10
# why:      a Model of its own: builds its layers in scopes, and calls them in scopes
def placed_model(features, units, devices):
    class Chain(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.parts = [tf.keras.layers.Dense(size) for size in units]
            width = features
            for part, device in zip(self.parts, devices):
                with tf.device(device):
                    part.build((None, width))
                width = part.units

        def call(self, inputs):
            values = inputs
            for number, (part, device) in enumerate(zip(self.parts, devices)):
                with tf.device(device):
                    values = part(values)
                    if number + 1 < len(self.parts):
                        values = tf.nn.relu(values)
            return values

    return Chain()
