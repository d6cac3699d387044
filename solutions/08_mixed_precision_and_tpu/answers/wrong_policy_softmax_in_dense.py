# exercise: policy
# score:    5/7
# fails:    policy-other
# says:     logits has no activation
# why:      puts the softmax into the logits layer
import keras


def global_policy():
    return keras.config.dtype_policy().name


def mixed_model(features, hidden, classes, policy, keep):
    kind = lambda name: "float32" if name in keep else policy
    model = keras.Sequential([keras.Input([features])])
    for i, units in enumerate(hidden, start=1):
        model.add(keras.layers.Dense(units, activation="relu", name=f"hidden{i}", dtype=kind(f"hidden{i}")))
    model.add(keras.layers.Dense(classes, activation="softmax", name="logits", dtype=kind("logits")))
    model.add(keras.layers.Activation("softmax", name="probabilities", dtype="float32"))
    return model.to_json()
