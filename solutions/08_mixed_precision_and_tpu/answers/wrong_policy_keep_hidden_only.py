# exercise: policy
# score:    5/7
# fails:    policy-other
# says:     logits can be in keep too
# why:      looks at keep for hidden layers only
import keras


def global_policy():
    return keras.config.dtype_policy().name


def mixed_model(features, hidden, classes, policy, keep):
    kind = lambda name: "float32" if name in keep else policy
    model = keras.Sequential([keras.Input([features])])
    for i, units in enumerate(hidden, start=1):
        model.add(keras.layers.Dense(units, activation="relu", name=f"hidden{i}", dtype=kind(f"hidden{i}")))
    model.add(keras.layers.Dense(classes, name="logits", dtype=policy))
    model.add(keras.layers.Activation("softmax", name="probabilities", dtype="float32"))
    return model.to_json()
