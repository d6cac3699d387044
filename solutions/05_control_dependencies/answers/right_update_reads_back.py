# exercise: update
# score:    7/7
# why:      returns what it reads back inside the section; the body is a function of its own

def make_update(value):
    lock = tf.CriticalSection(name="value_lock")

    def scale(factor):
        return tf.identity(value.assign(scaled(value, factor)))

    @tf.function(autograph=False, input_signature=[tf.TensorSpec(shape=(), dtype=tf.float32)])
    def update(factor):
        return lock.execute(lambda: scale(factor))

    return update
