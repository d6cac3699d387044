# exercise: step
# score:    10/12
# breaks:   12
# fails:    step-skip: a gradient that is nan was used
# why:      looks for infinite gradients only
import keras
import tensorflow as tf


def train_16(description, weights, batches, rate, clip, scale, growth):
    model = keras.models.model_from_json(description)
    model.set_weights(weights)
    half = any(layer.compute_dtype == "float16" for layer in model.layers)
    losses, scales, skipped, good = [], [], [], 0
    now = scale if half else 1.0
    for number, (x, y) in enumerate(batches):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.math.squared_difference(tf.cast(model(x), "float32"), y))
            scaled = loss * now
        losses.append(loss.numpy().item())
        gradients = [tf.cast(g, tf.float32) for g in tape.gradient(scaled, model.trainable_variables)]
        if half and not all(tf.reduce_all(~tf.math.is_inf(g)).numpy() for g in gradients):
            skipped.append(number)
            now, good = now / 2, 0
        else:
            gradients, _ = tf.clip_by_global_norm([g / now for g in gradients], clip)
            for variable, gradient in zip(model.trainable_variables, gradients):
                variable.assign_sub(rate * gradient)
            good += 1
            if good == growth:
                now, good = now * 2, 0
        if half:
            scales.append(float(now))
    return {"weights": model.get_weights(), "losses": losses, "scales": scales, "skipped": skipped}
