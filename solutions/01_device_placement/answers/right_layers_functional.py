# exercise: layers
# score:    10/10
# why:      the functional form, with layers that know their devices, made by a function
def on(device, base):
    class Placed(base):
        def build(self, input_shape):
            with tf.device(device):
                super().build(input_shape)

        def call(self, inputs):
            with tf.device(device):
                return super().call(inputs)

    return Placed


def placed_model(features, units, devices):
    inputs = tf.keras.layers.Input(shape=(features,))
    values = inputs
    for size, device in list(zip(units, devices))[:-1]:
        values = on(device, tf.keras.layers.Dense)(size, activation=tf.nn.relu)(values)
    outputs = on(devices[-1], tf.keras.layers.Dense)(units[-1])(values)
    return tf.keras.Model(inputs=inputs, outputs=outputs)
