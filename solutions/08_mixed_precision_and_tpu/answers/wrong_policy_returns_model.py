# exercise: policy
# score:    0/7
# fails:    policy-layers: Your function returned a keras.Sequential; return numbers, text, lists
# fails:    policy-keep: Your function returned a keras.Sequential; return numbers, text, lists
# fails:    policy-global: return model.to_json(), not the model
# fails:    policy-other: Your function returned a keras.Sequential; return numbers, text, lists
# why:      returns the model itself
import keras


def mixed_model(features, hidden, classes, policy, keep):
    layers = [keras.Input([features])]
    for i, units in enumerate(hidden, start=1):
        name = f"hidden{i}"
        kind = "float32" if name in keep else policy
        layers.append(keras.layers.Dense(units, activation="relu", name=name, dtype=kind))
    kind = "float32" if "logits" in keep else policy
    layers.append(keras.layers.Dense(classes, name="logits", dtype=kind))
    layers.append(keras.layers.Activation("softmax", name="probabilities", dtype="float32"))
    return keras.Sequential(layers)
