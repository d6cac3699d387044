# exercise: policy
# score:    7/7
# why:      sets the global policy and puts it back
import keras


def mixed_model(features, hidden, classes, policy, keep):
    before = keras.config.dtype_policy()
    keras.config.set_dtype_policy(policy)
    try:
        layers = [keras.Input([features])]
        for i, units in enumerate(hidden):
            name = f"hidden{i + 1}"
            own = {"dtype": "float32"} if name in keep else {}
            layers.append(keras.layers.Dense(units, "relu", name=name, **own))
        own = {"dtype": "float32"} if "logits" in keep else {}
        layers.append(keras.layers.Dense(classes, name="logits", **own))
        layers.append(keras.layers.Activation("softmax", name="probabilities", dtype="float32"))
        return keras.Sequential(layers).to_json()
    finally:
        keras.config.set_dtype_policy(before)
