# exercise: step
# score:    8/12
# breaks:   9
# fails:    step-float32: no layer computes in float16, so there is no scale to report and no st
# fails:    step-mixed: no layer computes in float16
# why:      scales always
import keras
import tensorflow as tf


def train_16(description, weights, batches, rate, clip, scale, growth):
    model = keras.models.model_from_json(description)
    model.set_weights(weights)
    variables = model.trainable_variables
    inner = keras.optimizers.SGD(rate, global_clipnorm=clip)
    half = True
    optimizer = inner
    if half:
        optimizer = keras.optimizers.LossScaleOptimizer(inner, initial_scale=scale, dynamic_growth_steps=growth)
    optimizer.build(variables)
    result = {"losses": [], "scales": [], "skipped": []}
    for number, (x, y) in enumerate(batches):
        with tf.GradientTape() as tape:
            output = tf.cast(model(x), tf.float32)
            loss = tf.reduce_mean(tf.square(output - y))
            scaled = optimizer.scale_loss(loss) if half else loss
        gradients = tape.gradient(scaled, variables)
        finite = all(bool(tf.reduce_all(tf.math.is_finite(gradient))) for gradient in gradients)
        optimizer.apply(gradients, variables)
        result["losses"].append(float(loss))
        if half:
            result["scales"].append(float(optimizer.dynamic_scale))
            if not finite:
                result["skipped"].append(number)
    result["weights"] = model.get_weights()
    return result
