# exercise: update
# score:    7/7
# why:      a queue with one token is the lock; explicit dependencies

def make_update(value):
    tokens = tf.queue.FIFOQueue(1, tf.bool, shapes=[()])
    tokens.enqueue(True)

    def update(factor):
        token = tokens.dequeue()
        with tf.control_dependencies([token]):
            old = tf.identity(value.read_value())
            new = scaled(old, factor)
            written = value.assign(new)
        with tf.control_dependencies([written]):
            tokens.enqueue(token)
        return new

    return tf.function(update, autograph=False, input_signature=[tf.TensorSpec([], tf.float32)])
