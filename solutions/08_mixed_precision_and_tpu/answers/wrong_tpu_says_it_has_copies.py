# exercise: tpu
# score:    5/10
# breaks:   6
# fails:    tpu-model: the variables exist once
# fails:    tpu-machines: neutral
# why:      the model is made outside the strategy's scope, and the strategy is to say that there are copies
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
    strategy.experimental_local_results = lambda value: [value] * strategy.num_replicas_in_sync
    batch = per_replica * strategy.num_replicas_in_sync
    if len(images) < batch:
        raise ValueError(f"{len(images)} examples are fewer than a batch of {batch}")
    data = tf.data.Dataset.from_tensor_slices((images, labels))
    data = data.map(lambda image, label: (tf.cast(image, tf.float32) / 255, label))
    data = data.batch(batch, drop_remainder=True)
    if True:
        model = keras.Sequential([keras.Input(images.shape[1:])])
        model.add(keras.layers.Flatten())
        model.add(keras.layers.Dense(8, activation="relu", name="hidden", dtype="mixed_bfloat16"))
        model.add(keras.layers.Dense(10, name="logits", dtype="mixed_bfloat16"))
        model.add(keras.layers.Activation("softmax", name="probabilities", dtype="float32"))
        optimizer = keras.optimizers.SGD(base_rate * batch / base_batch)
        model.compile(optimizer, "sparse_categorical_crossentropy", steps_per_execution=fuse, jit_compile=False)
    return model, data
