# exercise: policy
# score:    5/7
# fails:    policy-global
# says:     changed the global policy for good
# why:      sets the global policy and leaves it
import keras


def global_policy():
    return keras.config.dtype_policy().name


def mixed_model(features, hidden, classes, policy, keep):
    keras.config.set_dtype_policy(policy)
    layers = [keras.Input([features])]
    for i, units in enumerate(hidden):
        name = f"hidden{i + 1}"
        own = {"dtype": "float32"} if name in keep else {}
        layers.append(keras.layers.Dense(units, "relu", name=name, **own))
    own = {"dtype": "float32"} if "logits" in keep else {}
    layers.append(keras.layers.Dense(classes, name="logits", **own))
    layers.append(keras.layers.Activation("softmax", name="probabilities", dtype="float32"))
    return keras.Sequential(layers).to_json()
