# @title Many networks in one op
# Small networks fit into a stack of matrices: one op trains all of them, and none sees another.
import numpy as np
import tensorflow as tf


def first_values(units, seed):
    """First values of w1 [64, units] and w2 [units, 10], as float32 arrays."""
    luck = np.random.default_rng(seed)
    return [luck.normal(0, 0.3, shape).astype("float32") for shape in ((64, units), (units, 10))]


def first_stack(seeds, scales, units=32):
    """First weights of many networks: variables [networks, 64, units] and [networks, units, 10]."""
    stacks = [[], []]
    for seed, scale in zip(seeds, scales, strict=True):
        luck = np.random.default_rng(seed)
        stacks[0].append(scale * luck.normal(0, 64**-0.5, (64, units)))
        stacks[1].append(scale * luck.normal(0, units**-0.5, (units, 10)))
    return [tf.Variable(np.array(stack, "float32")) for stack in stacks]


def logits_of(x, weights):
    """Scores [networks, rows, 10] of all networks; x is [rows, 64] or [networks, rows, 64]."""
    return tf.nn.relu(x @ weights[0]) @ weights[1]


def train_many(weights, rates, x, y, epochs):
    """Train all networks, each with its rate on its rows; yields after each epoch.

    Args:
        weights: what first_stack returns; it changes.
        rates: a learning rate for each network.
        x, y: arrays [networks, rows, 64] and [networks, rows]; rows are taken in batches of 50.
        epochs: int.
    """
    rates = tf.reshape(tf.constant(rates, tf.float32), [-1, 1, 1])

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            costs = tf.nn.sparse_softmax_cross_entropy_with_logits(y, logits_of(x, weights))
            loss = tf.reduce_sum(tf.reduce_mean(costs, axis=1))  # a sum: no network sees another
        for w, gradient in zip(weights, tape.gradient(loss, weights), strict=True):
            w.assign_sub(rates * gradient)

    luck = np.random.default_rng(0)
    for epoch in range(epochs):
        for batch in luck.permutation(x.shape[1]).reshape(-1, 50):
            step(x[:, batch], y[:, batch])
        yield epoch + 1


def losses_of(probabilities, labels):
    """Minus the logarithm of the right class's probability, for each row.

    Args:
        probabilities: array [..., rows, 10].
        labels: array [rows], or one that can be broadcast to [..., rows].
    """
    labels = np.broadcast_to(labels, probabilities.shape[:-1])
    right = np.take_along_axis(probabilities, labels[..., None], -1)[..., 0]
    return -np.log(np.maximum(right, 1e-7))


def loss_table(train, validation, seed=0, settings=150, epochs=27):
    """Validation losses [settings, epochs] of random learning rates and first weights' sizes."""
    luck = np.random.default_rng(seed)
    rates = 10 ** luck.uniform(-3, 1, settings)
    weights = first_stack(range(settings), 10 ** luck.uniform(-1.5, 0.7, settings))
    x, y = [np.broadcast_to(part, (settings, *part.shape)) for part in train]
    table = []
    for _ in train_many(weights, rates, x, y, epochs):
        probabilities = tf.nn.softmax(logits_of(validation[0], weights)).numpy()
        table.append(np.nan_to_num(losses_of(probabilities, validation[1]).mean(1), nan=99.0))
    return np.transpose(table)
