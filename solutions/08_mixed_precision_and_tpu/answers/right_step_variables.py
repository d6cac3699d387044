# exercise: step
# score:    12/12
# why:      returns Keras's variables and TensorFlow's tensors as they are
def train_16(description, weights, batches, rate, clip, scale, growth):
    model = keras.models.model_from_json(description)
    model.set_weights(weights)

    def layers_of(some):
        for layer in some.layers:
            yield layer
            if hasattr(layer, "layers"):
                yield from layers_of(layer)

    half = any(layer.compute_dtype == "float16" for layer in layers_of(model))
    optimizer = keras.optimizers.SGD(learning_rate=rate, global_clipnorm=clip)
    if half:
        optimizer = keras.optimizers.LossScaleOptimizer(optimizer, initial_scale=scale, dynamic_growth_steps=growth)
    optimizer.build(model.trainable_variables)
    losses, scales, skipped = [], [], []
    for number, (x, y) in enumerate(batches):
        with tf.GradientTape() as tape:
            output = tf.cast(model(x, training=True), tf.float32)
            loss = tf.reduce_mean(tf.square(output - y))
            scaled = optimizer.scale_loss(loss) if half else loss
        gradients = tape.gradient(scaled, model.trainable_variables)
        before = optimizer.dynamic_scale.numpy() if half else None
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        losses.append(loss)
        if half:
            scales.append(optimizer.dynamic_scale.numpy())
            if scales[-1] < before:
                skipped.append(number)
    return {"weights": model.weights, "losses": losses, "scales": scales, "skipped": skipped}
