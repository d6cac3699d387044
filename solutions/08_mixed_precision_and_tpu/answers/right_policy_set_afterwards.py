# exercise: policy
# score:    7/7
# why:      makes the layers first and gives them their policies afterwards
import keras


def global_policy():
    """The name of the policy that new layers get in this process, a str."""
    return keras.config.dtype_policy().name


def mixed_model(features, hidden, classes, policy, keep):
    layers = [keras.layers.Dense(n, "relu", name=f"hidden{i}") for i, n in enumerate(hidden, 1)]
    layers += [keras.layers.Dense(classes, name="logits")]
    for layer in layers:
        if layer.name not in keep:
            layer.dtype_policy = policy
    layers.append(keras.layers.Activation("softmax", name="probabilities"))
    return keras.models.Sequential([keras.Input(shape=[features]), *layers]).to_json()
