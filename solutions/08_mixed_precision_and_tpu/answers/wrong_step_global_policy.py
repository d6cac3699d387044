# exercise: step
# score:    5/12
# breaks:   6
# fails:    step-small: the weights did not move
# fails:    step-skip: the infinite gradient was used for the update
# fails:    step-mixed: a layer computes in float16 and the loss is not scaled
# fails:    step-run: there is a scale for each step
# why:      asks the global policy, which has nothing to do with it
import keras
import tensorflow as tf


def train_16(description, weights, batches, rate, clip, scale, growth):
    model = keras.models.model_from_json(description)
    model.set_weights(weights)
    variables = model.trainable_variables
    inner = keras.optimizers.SGD(rate, global_clipnorm=clip)
    half = keras.config.dtype_policy().name == "mixed_float16"
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
