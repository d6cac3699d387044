# exercise: policy
# score:    2/7
# breaks:   5
# fails:    policy-layers: the logits follow the policy; only the probabilities stay in float32
# fails:    policy-keep: neutral
# fails:    policy-other: neutral
# why:      the logits compute in float32, too
import keras


def mixed_model(features, hidden, classes, policy, keep):
    layers = [keras.Input([features])]
    for i, units in enumerate(hidden, start=1):
        name = f"hidden{i}"
        kind = "float32" if name in keep else policy
        layers.append(keras.layers.Dense(units, activation="relu", name=name, dtype=kind))
    kind = "float32"
    layers.append(keras.layers.Dense(classes, name="logits", dtype=kind))
    layers.append(keras.layers.Activation("softmax", name="probabilities", dtype="float32"))
    return keras.Sequential(layers).to_json()
