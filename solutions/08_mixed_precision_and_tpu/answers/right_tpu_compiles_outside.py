# exercise: tpu
# score:    10/10
# why:      the optimizer is made behind the scope, so its counter of steps exists once and each replica adds to it
def prepare(strategy, images, labels, per_replica, base_rate, base_batch, fuse):
    batch = per_replica * strategy.num_replicas_in_sync
    whole = len(images) // batch * batch
    if not whole:
        raise ValueError("not one batch")
    x = images[:whole].astype(np.float32) / 255
    dataset = tf.data.Dataset.from_tensor_slices((x, labels[:whole])).batch(batch, drop_remainder=True)
    with strategy.scope():
        model = keras.Sequential([
            keras.Input(images.shape[1:]),
            keras.layers.Flatten(),
            keras.layers.Dense(8, activation="relu", name="hidden", dtype="mixed_bfloat16"),
            keras.layers.Dense(10, name="logits", dtype="mixed_bfloat16"),
            keras.layers.Activation("softmax", name="probabilities", dtype="float32"),
        ])
    optimizer = keras.optimizers.SGD(base_rate * batch / base_batch)
    loss = "sparse_categorical_crossentropy"
    model.compile(optimizer, loss, steps_per_execution=fuse, jit_compile=False)
    return model, dataset
