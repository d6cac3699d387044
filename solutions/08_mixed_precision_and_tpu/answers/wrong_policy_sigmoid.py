# exercise: policy
# score:    5/7
# breaks:   4
# fails:    policy-other: the last layer's activation is not softmax
# why:      takes a sigmoid for the softmax
import keras


def mixed_model(features, hidden, classes, policy, keep):
    layers = [keras.Input([features])]
    for i, units in enumerate(hidden, start=1):
        name = f"hidden{i}"
        kind = "float32" if name in keep else policy
        layers.append(keras.layers.Dense(units, activation="relu", name=name, dtype=kind))
    kind = "float32" if "logits" in keep else policy
    layers.append(keras.layers.Dense(classes, name="logits", dtype=kind))
    layers.append(keras.layers.Activation("sigmoid", name="probabilities", dtype="float32"))
    return keras.Sequential(layers).to_json()
