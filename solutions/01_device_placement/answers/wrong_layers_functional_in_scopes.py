# exercise: layers
# score:    5/10
# breaks:   5
# fails:    layers-ops: the products are on the default device
# fails:    layers-drawn: a product is not on the device
# why:      calls the layers in scopes once: that places their variables only
def placed_model(features, units, devices):
    inputs = values = tf.keras.Input([features])
    for number, (size, device) in enumerate(zip(units, devices), start=1):
        with tf.device(device):
            values = tf.keras.layers.Dense(size, activation="relu" if number < len(units) else None)(values)
    return tf.keras.Model(inputs, values)
