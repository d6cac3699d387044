# exercise: step
# score:    10/12
# breaks:   6
# fails:    step-mixed: the policy float16 computes in float16, too
# why:      looks for the policy mixed_float16 by its name
import keras
import tensorflow as tf


def train_16(description, weights, batches, rate, clip, scale, growth):
    model = keras.models.model_from_json(description)
    model.set_weights(weights)
    optimizer = keras.optimizers.SGD(rate, global_clipnorm=clip)
    scaling = any(layer.dtype_policy.name == "mixed_float16" for layer in model.layers)
    if scaling:
        optimizer = keras.optimizers.LossScaleOptimizer(optimizer, scale, growth)
    optimizer.build(model.trainable_variables)
    losses, scales, skipped = [], [], []
    for number, (x, y) in enumerate(batches):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((tf.cast(model(x), tf.float32) - y) ** 2)
            scaled = optimizer.scale_loss(loss)
        gradients = tape.gradient(scaled, model.trainable_variables)
        losses.append(float(loss))
        if scaling:
            before = float(optimizer.dynamic_scale)
        optimizer.apply(gradients, model.trainable_variables)
        if scaling:
            scales.append(float(optimizer.dynamic_scale))
            if scales[-1] < before:
                skipped.append(number)
    return {"weights": model.get_weights(), "losses": losses, "scales": scales, "skipped": skipped}
