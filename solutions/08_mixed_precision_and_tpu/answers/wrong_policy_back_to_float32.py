# exercise: policy
# score:    5/7
# breaks:   9
# fails:    policy-global: the global policy is not put back as it was
# why:      puts back what is the default, not what was
# alone:    it changes the process's global policy
import keras

def mixed_model(features, hidden, classes, policy, keep):
    def kind(name):
        return None

    keras.config.set_dtype_policy(policy)
    model = keras.Sequential([keras.Input([features])])
    for i, units in enumerate(hidden, 1):
        name = f"hidden{i}"
        model.add(keras.layers.Dense(units, activation="relu", name=name, dtype="float32" if name in keep else None))
    model.add(keras.layers.Dense(classes, name="logits", dtype="float32" if "logits" in keep else None))
    model.add(keras.layers.Activation("softmax", name="probabilities", dtype="float32"))
    keras.config.set_dtype_policy("float32")
    return model.to_json()
