# exercise: policy
# score:    7/7
# why:      passes DTypePolicy objects
import keras


def mixed_model(features, hidden, classes, policy, keep):
    full, mixed = keras.DTypePolicy("float32"), keras.DTypePolicy(policy)
    model = keras.Sequential()
    model.add(keras.Input([features]))
    for i, units in enumerate(hidden, start=1):
        name = f"hidden{i}"
        model.add(keras.layers.Dense(units, activation="relu", name=name, dtype=full if name in keep else mixed))
    model.add(keras.layers.Dense(classes, name="logits", dtype=full if "logits" in keep else mixed))
    model.add(keras.layers.Activation("softmax", name="probabilities", dtype=full))
    return model.to_json()
