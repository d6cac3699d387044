# exercise: tpu
# score:    10/10
# why:      takes, skips and maps; keeps the helper functions inside
import keras
import tensorflow as tf


def on_cpus(replicas, images, labels, per_replica, base_rate, base_batch, fuse, epochs=0, policy=None):
    """Given, for the checks: prepares with so many CPU replicas; tells what came of it in plain values."""
    tf.get_logger().setLevel("ERROR")  # that a step is traced again for each strategy is no news here
    cpus = [device.name for device in tf.config.list_logical_devices("CPU")][:replicas]
    one_sums = tf.distribute.ReductionToOneDevice()
    if replicas == 1:
        strategy = tf.distribute.OneDeviceStrategy(cpus[0])
    else:
        strategy = tf.distribute.MirroredStrategy(cpus, cross_device_ops=one_sums)
    left = keras.config.dtype_policy()
    keras.config.set_dtype_policy(policy or left)
    before = keras.config.dtype_policy().name
    keras.utils.set_random_seed(0)
    try:
        model, dataset = prepare(strategy, images, labels, per_replica, base_rate, base_batch, fuse)
        after = keras.config.dtype_policy().name
    finally:
        if policy:
            keras.config.set_dtype_policy(left)
    names = [getattr(getattr(layer, "activation", None), "__name__", "") for layer in model.layers]
    seen = {
        "global policy": [before, after],
        "shapes": [part.shape.as_list() for part in dataset.element_spec],
        "batches": [(x.numpy(), y.numpy().tolist()) for x, y in dataset.take(50)],
        "copies": [len(strategy.experimental_local_results(v.value)) for v in model.variables],
        "layers": [(x.name, type(x).__name__, x.compute_dtype, x.variable_dtype) for x in model.layers],
        "units": [getattr(layer, "units", None) for layer in model.layers],
        "activations": [name.removesuffix("_v2") for name in names],  # of tf.nn.softmax
        "loss": model.loss if isinstance(model.loss, str) else type(model.loss).__name__,
        "optimizer": type(model.optimizer).__name__,
        "momentum": getattr(model.optimizer, "momentum", None),
        "rate": float(model.optimizer.learning_rate.numpy()),
        "fuse": int(model.steps_per_execution),
    }
    if epochs and dataset.cardinality() != tf.data.INFINITE_CARDINALITY:
        calls = []
        count = keras.callbacks.LambdaCallback(on_train_batch_end=lambda batch, logs: calls.append(batch))
        history = model.fit(dataset, epochs=epochs, verbose=0, shuffle=False, callbacks=[count])
        seen["losses"] = history.history["loss"]
        seen["calls"] = len(calls)
        seen["steps"] = int(model.optimizer.iterations.numpy())
    return seen


def prepare(strategy, images, labels, per_replica, base_rate, base_batch, fuse):
    size = per_replica
    size *= strategy.num_replicas_in_sync
    whole = len(images) - len(images) % size
    if whole < 1:
        raise ValueError("too few examples")
    with strategy.scope():
        layers = [keras.layers.Flatten()]
        for name, units, activation in (("hidden", 8, "relu"), ("logits", 10, None)):
            layers.append(keras.layers.Dense(units, activation=activation, name=name, dtype="mixed_bfloat16"))
        layers.append(keras.layers.Softmax(name="probabilities", dtype="float32"))
        layers[-1] = keras.layers.Activation("softmax", name="probabilities", dtype="float32")
        model = keras.Sequential(layers)
        model.build([None, *images.shape[1:]])
        sgd = keras.optimizers.SGD(learning_rate=size * base_rate / base_batch)
        model.compile(sgd, loss="sparse_categorical_crossentropy", jit_compile=False, steps_per_execution=fuse)
    x = tf.data.Dataset.from_tensor_slices(images).map(lambda image: tf.cast(image, "float32") * (1 / 255))
    y = tf.data.Dataset.from_tensor_slices(labels)
    return model, tf.data.Dataset.zip((x, y)).take(whole).batch(size, drop_remainder=True)
