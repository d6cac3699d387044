# exercise: policy
# score:    7/7
# why:      a table of names and units; a DTypePolicyMap is asked for each layer
import keras


def mixed_model(features, hidden, classes, policy, keep):
    types = keras.dtype_policies.DTypePolicyMap(default_policy=keras.DTypePolicy(policy))
    for name in [*keep, "probabilities"]:
        types[name] = keras.DTypePolicy("float32")
    sizes = {f"hidden{i}": units for i, units in enumerate(hidden, start=1)} | {"logits": classes}
    layers = []
    for name, units in sizes.items():
        activation = keras.activations.relu if name.startswith("hidden") else None
        layers.append(keras.layers.Dense(units, activation, name=name, dtype=types[name]))
    softmax = keras.layers.Activation(keras.activations.softmax, name="probabilities", dtype=types["probabilities"])
    return keras.Sequential([keras.layers.InputLayer(shape=(features,)), *layers, softmax]).to_json()
