# exercise: policy
# score:    2/7
# breaks:   8
# fails:    policy-layers: the policy float16 stores 16-bit variables; mixed_float16 stores float
# fails:    policy-keep: neutral
# fails:    policy-other: neutral
# why:      passes the compute type, so variables have 16 bits, too
import keras


def mixed_model(features, hidden, classes, policy, keep):
    layers = [keras.Input([features])]
    for i, units in enumerate(hidden, start=1):
        name = f"hidden{i}"
        kind = "float32" if name in keep else keras.DTypePolicy(policy).compute_dtype
        layers.append(keras.layers.Dense(units, activation="relu", name=name, dtype=kind))
    kind = "float32" if "logits" in keep else keras.DTypePolicy(policy).compute_dtype
    layers.append(keras.layers.Dense(classes, name="logits", dtype=kind))
    layers.append(keras.layers.Activation("softmax", name="probabilities", dtype="float32"))
    return keras.Sequential(layers).to_json()
