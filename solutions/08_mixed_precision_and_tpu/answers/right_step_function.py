# exercise: step
# score:    12/12
# why:      the step is a tf.function that returns loss and scale
import keras
import numpy as np
import tensorflow as tf


def needs_scale(model):
    return any(keras.DTypePolicy(layer.dtype_policy.name).compute_dtype == "float16" for layer in model.layers)


def train_16(description, weights, batches, rate, clip, scale, growth):
    model = keras.models.model_from_json(description)
    model.set_weights(weights)
    optimizer = keras.optimizers.SGD(learning_rate=rate, global_clipnorm=clip)
    if needs_scale(model):
        optimizer = keras.optimizers.LossScaleOptimizer(optimizer, scale, growth)
    optimizer.build(model.trainable_variables)
    mean_squared_error = keras.losses.MeanSquaredError(dtype="float32")

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = mean_squared_error(y, model(x, training=True))
            scaled = optimizer.scale_loss(loss)
        optimizer.apply_gradients(zip(tape.gradient(scaled, model.trainable_variables), model.trainable_variables))
        return loss, tf.convert_to_tensor(getattr(optimizer, "dynamic_scale", 0.0))

    seen = [[float(value) for value in step(tf.constant(x), tf.constant(y))] for x, y in batches]
    losses, scales = np.array(seen).T if seen else ([], [])
    report = {"weights": model.get_weights(), "losses": list(losses), "scales": [], "skipped": []}
    if needs_scale(model):
        report["scales"] = list(scales)
        report["skipped"] = [i for i, (old, new) in enumerate(zip([scale, *scales], scales)) if new < old]
    return report
