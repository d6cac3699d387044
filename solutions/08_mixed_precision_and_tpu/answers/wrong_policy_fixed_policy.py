# exercise: policy
# score:    4/7
# breaks:   5
# fails:    policy-keep: the policy is an argument; it is not always mixed_float16
# fails:    policy-other: neutral
# why:      always mixed_float16
import keras


def mixed_model(features, hidden, classes, policy, keep):
    layers = [keras.Input([features])]
    for i, units in enumerate(hidden, start=1):
        name = f"hidden{i}"
        kind = "float32" if name in keep else "mixed_float16"
        layers.append(keras.layers.Dense(units, activation="relu", name=name, dtype=kind))
    kind = "float32" if "logits" in keep else "mixed_float16"
    layers.append(keras.layers.Dense(classes, name="logits", dtype=kind))
    layers.append(keras.layers.Activation("softmax", name="probabilities", dtype="float32"))
    return keras.Sequential(layers).to_json()
