# exercise: policy
# score:    7/7
# why:      makes the layers first and gives them their policies afterwards
import keras


def mixed_model(features, hidden, classes, policy, keep):
    layers = [keras.layers.Dense(n, "relu", name=f"hidden{i}") for i, n in enumerate(hidden, 1)]
    layers += [keras.layers.Dense(classes, name="logits")]
    layers.append(keras.layers.Activation("softmax", name="probabilities"))
    for layer in layers:
        layer.dtype_policy = "float32" if layer.name in [*keep, "probabilities"] else policy
    return keras.models.Sequential([keras.Input(shape=[features]), *layers]).to_json()
