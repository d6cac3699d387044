# exercise: policy
# score:    5/7
# breaks:   3
# fails:    policy-other: logits has an activation; the softmax is a layer of its own behind it
# why:      the logits have an activation
import keras


def mixed_model(features, hidden, classes, policy, keep):
    layers = [keras.Input([features])]
    for i, units in enumerate(hidden, start=1):
        name = f"hidden{i}"
        kind = "float32" if name in keep else policy
        layers.append(keras.layers.Dense(units, activation="relu", name=name, dtype=kind))
    kind = "float32" if "logits" in keep else policy
    layers.append(keras.layers.Dense(classes, activation="relu", name="logits", dtype=kind))
    layers.append(keras.layers.Activation("softmax", name="probabilities", dtype="float32"))
    return keras.Sequential(layers).to_json()
