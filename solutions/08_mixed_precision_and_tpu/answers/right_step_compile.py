# exercise: step
# score:    12/12
# why:      compiles with the right optimizer and trains by train_on_batch
import keras
import numpy as np


def train_16(description, weights, batches, rate, clip, scale, growth):
    model = keras.models.model_from_json(description)
    model.set_weights(weights)
    optimizer = keras.optimizers.SGD(rate, global_clipnorm=clip)
    scaled = bool({"float16"} & {layer.compute_dtype for layer in model.layers})
    if scaled:
        optimizer = keras.optimizers.LossScaleOptimizer(optimizer, scale, growth)
        optimizer.build(model.trainable_variables)
    loss = keras.losses.MeanSquaredError(dtype="float32")
    model.compile(optimizer, loss, jit_compile=False, auto_scale_loss=False, run_eagerly=True)
    losses, scales, skipped = [], [], []
    for number, (x, y) in enumerate(batches):
        before = scales[-1] if scales else scale
        losses.append(float(np.mean(model.train_on_batch(x, y))))
        model.reset_metrics()
        if scaled:
            scales.append(float(optimizer.dynamic_scale))
            if scales[-1] < before:
                skipped.append(number)
    return {"weights": model.get_weights(), "losses": losses, "scales": scales, "skipped": skipped}
