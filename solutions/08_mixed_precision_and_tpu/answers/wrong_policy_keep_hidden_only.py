# exercise: policy
# score:    5/7
# breaks:   6
# fails:    policy-other: a layer in keep did not opt out; logits can be in keep too
# why:      only hidden layers can opt out
import keras


def mixed_model(features, hidden, classes, policy, keep):
    layers = [keras.Input([features])]
    for i, units in enumerate(hidden, start=1):
        name = f"hidden{i}"
        kind = "float32" if name in keep else policy
        layers.append(keras.layers.Dense(units, activation="relu", name=name, dtype=kind))
    kind = policy
    layers.append(keras.layers.Dense(classes, name="logits", dtype=kind))
    layers.append(keras.layers.Activation("softmax", name="probabilities", dtype="float32"))
    return keras.Sequential(layers).to_json()
