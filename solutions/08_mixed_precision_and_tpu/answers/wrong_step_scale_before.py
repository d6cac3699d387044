# exercise: step
# score:    9/12
# breaks:   11
# fails:    step-skip: these are the scales before each step; report those after it
# fails:    step-run: these are the scales before each step; report those after it
# why:      reports the scale before the step
import keras
import tensorflow as tf


def train_16(description, weights, batches, rate, clip, scale, growth):
    model = keras.models.model_from_json(description)
    model.set_weights(weights)
    variables = model.trainable_variables
    inner = keras.optimizers.SGD(rate, global_clipnorm=clip)
    half = "float16" in [layer.compute_dtype for layer in model.layers]
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
        before = float(optimizer.dynamic_scale) if half else 0.0
        optimizer.apply(gradients, variables)
        result["losses"].append(float(loss))
        if half:
            result["scales"].append(before)
            if not finite:
                result["skipped"].append(number)
    result["weights"] = model.get_weights()
    return result
