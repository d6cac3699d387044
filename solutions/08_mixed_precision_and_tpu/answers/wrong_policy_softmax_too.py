# exercise: policy
# score:    2/7
# breaks:   7
# fails:    policy-layers: the softmax computes in the policy's 16 bits
# fails:    policy-keep: neutral
# fails:    policy-other: neutral
# why:      the softmax follows the policy
import keras


def mixed_model(features, hidden, classes, policy, keep):
    layers = [keras.Input([features])]
    for i, units in enumerate(hidden, start=1):
        name = f"hidden{i}"
        kind = "float32" if name in keep else policy
        layers.append(keras.layers.Dense(units, activation="relu", name=name, dtype=kind))
    kind = "float32" if "logits" in keep else policy
    layers.append(keras.layers.Dense(classes, name="logits", dtype=kind))
    layers.append(keras.layers.Activation("softmax", name="probabilities", dtype=policy))
    return keras.Sequential(layers).to_json()
