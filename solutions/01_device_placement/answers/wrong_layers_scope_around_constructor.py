# exercise: layers
# score:    3/10
# fails:    layers-variables: all variables are on the default device
# fails:    layers-ops: the products are on the default device
# fails:    layers-drawn: a kernel is not on the device
# why:      the scope is around the constructors, which make nothing
def placed_model(features, units, devices):
    layers = []
    for number, (size, device) in enumerate(zip(units, devices), start=1):
        with tf.device(device):
            layers.append(tf.keras.layers.Dense(size, activation="relu" if number < len(units) else None))
    return tf.keras.Sequential([tf.keras.Input([features]), *layers])
