# exercise: policy
# score:    2/7
# breaks:   2
# fails:    policy-layers: the layers after the input are ['hidden1', 'hidden2', 'logits', 'proba
# fails:    policy-keep: neutral
# fails:    policy-other: the names are ['hidden1', 'logits', 'probabilities']
# why:      hidden layers are counted from 0
import keras


def mixed_model(features, hidden, classes, policy, keep):
    layers = [keras.Input([features])]
    for i, units in enumerate(hidden, start=0):
        name = f"hidden{i}"
        kind = "float32" if name in keep else policy
        layers.append(keras.layers.Dense(units, activation="relu", name=name, dtype=kind))
    kind = "float32" if "logits" in keep else policy
    layers.append(keras.layers.Dense(classes, name="logits", dtype=kind))
    layers.append(keras.layers.Activation("softmax", name="probabilities", dtype="float32"))
    return keras.Sequential(layers).to_json()
