# exercise: policy
# score:    4/7
# breaks:   6
# fails:    policy-keep: one layer opts out, not the whole model
# fails:    policy-other: neutral
# why:      one name in keep turns everything to float32
import keras


def mixed_model(features, hidden, classes, policy, keep):
    layers = [keras.Input([features])]
    for i, units in enumerate(hidden, start=1):
        name = f"hidden{i}"
        kind = "float32" if keep else policy
        layers.append(keras.layers.Dense(units, activation="relu", name=name, dtype=kind))
    kind = "float32" if keep else policy
    layers.append(keras.layers.Dense(classes, name="logits", dtype=kind))
    layers.append(keras.layers.Activation("softmax", name="probabilities", dtype="float32"))
    return keras.Sequential(layers).to_json()
