# exercise: policy
# score:    5/7
# breaks:   5
# fails:    policy-other: neutral
# why:      takes float32 for what a layer has anyway
import keras

def mixed_model(features, hidden, classes, policy, keep):
    def kind(name):
        return "float32" if name in keep else (None if policy == "float32" else policy)

    model = keras.Sequential([keras.Input([features])])
    for i, units in enumerate(hidden, 1):
        name = f"hidden{i}"
        model.add(keras.layers.Dense(units, activation="relu", name=name, dtype=kind(name)))
    model.add(keras.layers.Dense(classes, name="logits", dtype=kind("logits")))
    model.add(keras.layers.Activation("softmax", name="probabilities", dtype="float32"))
    return model.to_json()
