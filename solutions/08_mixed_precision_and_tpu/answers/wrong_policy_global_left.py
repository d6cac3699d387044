# exercise: policy
# score:    5/7
# breaks:   9
# fails:    policy-global: the global policy was changed and not put back, so the next model gets
# why:      sets the global policy and leaves it
# alone:    it changes the process's global policy
import keras


def mixed_model(features, hidden, classes, policy, keep):
    keras.config.set_dtype_policy(policy)
    layers = [keras.Input([features])]
    for i, units in enumerate(hidden, start=1):
        name = f"hidden{i}"
        kind = "float32" if name in keep else policy
        layers.append(keras.layers.Dense(units, activation="relu", name=name, dtype=kind))
    kind = "float32" if "logits" in keep else policy
    layers.append(keras.layers.Dense(classes, name="logits", dtype=kind))
    layers.append(keras.layers.Activation("softmax", name="probabilities", dtype="float32"))
    return keras.Sequential(layers).to_json()
