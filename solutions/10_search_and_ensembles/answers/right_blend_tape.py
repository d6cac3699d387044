# exercise: blend
# score:    7/7
# why:      gradient descent with TensorFlow's tape
def blend(probabilities, labels):
    rows = np.arange(len(labels))
    right = tf.constant(np.asarray(probabilities)[:, rows, labels], tf.float64)
    scores = tf.Variable(tf.zeros(len(right), tf.float64))
    optimizer = keras.optimizers.Adam(0.1)

    @tf.function
    def step():
        with tf.GradientTape() as tape:
            mixed = tf.linalg.matvec(right, tf.nn.softmax(scores), transpose_a=True)
            loss = -tf.reduce_mean(tf.math.log(tf.maximum(mixed, 1e-7)))
        optimizer.apply_gradients([(tape.gradient(loss, scores), scores)])

    for _ in range(400):
        step()
    return tf.nn.softmax(scores).numpy().tolist()
