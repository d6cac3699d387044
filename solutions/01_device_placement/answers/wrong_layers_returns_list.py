# exercise: layers
# score:    0/10
# fails:    layers-computes: no Keras model
# fails:    layers-variables: no Keras model
# fails:    layers-ops: no Keras model
# fails:    layers-drawn: no Keras model
# fails:    layers-trained: no Keras model
# why:      returns the layers, not a model
def placed_model(features, units, devices):
    layers = []
    for number, (size, device) in enumerate(zip(units, devices), start=1):
        with tf.device(device):
            layers.append(tf.keras.layers.Dense(size, activation="relu" if number < len(units) else None))
    return layers
