# exercise: policy
# score:    7/7
# why:      activations are TensorFlow's functions
import keras
import tensorflow as tf


def mixed_model(features, hidden, classes, policy, keep):
    def kind(name):
        return "float32" if name in keep else policy

    model = keras.Sequential([keras.Input([features])])
    for i, units in enumerate(hidden, start=1):
        name = f"hidden{i}"
        model.add(keras.layers.Dense(units, activation=tf.nn.relu, name=name, dtype=kind(name)))
    model.add(keras.layers.Dense(classes, name="logits", dtype=kind("logits")))
    model.add(keras.layers.Activation(tf.nn.softmax, name="probabilities", dtype="float32"))
    return model.to_json()
