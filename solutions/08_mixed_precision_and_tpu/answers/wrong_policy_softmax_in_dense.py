# exercise: policy
# score:    2/7
# breaks:   4
# fails:    policy-layers: the layers after the input are ['hidden1', 'hidden2', 'logits', 'proba
# fails:    policy-keep: neutral
# fails:    policy-other: after the input come 2 layers; there should be 3
# why:      the softmax is the activation of the logits' layer
import keras


def mixed_model(features, hidden, classes, policy, keep):
    layers = [keras.Input([features])]
    for i, units in enumerate(hidden, start=1):
        name = f"hidden{i}"
        kind = "float32" if name in keep else policy
        layers.append(keras.layers.Dense(units, activation="relu", name=name, dtype=kind))
    kind = "float32" if "logits" in keep else policy
    layers.append(keras.layers.Dense(classes, activation="softmax", name="probabilities", dtype="float32"))
    return keras.Sequential(layers).to_json()
