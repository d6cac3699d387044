# exercise: policy
# score:    2/7
# fails:    policy-layers, policy-keep, policy-other
# says:     stores 16-bit variables
# why:      passes the compute type instead of the policy
import keras


def global_policy():
    return keras.config.dtype_policy().name


def mixed_model(features, hidden, classes, policy, keep):
    kind = lambda name: "float32" if name in keep else keras.DTypePolicy(policy).compute_dtype
    model = keras.Sequential([keras.Input([features])])
    for i, units in enumerate(hidden, start=1):
        model.add(keras.layers.Dense(units, activation="relu", name=f"hidden{i}", dtype=kind(f"hidden{i}")))
    model.add(keras.layers.Dense(classes, name="logits", dtype=kind("logits")))
    model.add(keras.layers.Activation("softmax", name="probabilities", dtype="float32"))
    return model.to_json()
