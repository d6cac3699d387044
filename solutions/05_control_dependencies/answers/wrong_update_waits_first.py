# exercise: update
# score:    1/7
# fails:    update-alone: something else than the variable's value
# fails:    update-together: no longer has, or never had
# fails:    update-many: no longer has, or never had
# why:      scales 1 and waits for it; then it reads and writes within microseconds, which is luck and no section

def make_update(value):
    @tf.function(input_signature=[tf.TensorSpec([], tf.float32)])
    def update(factor):
        times = scaled(tf.constant(1.), factor)
        with tf.control_dependencies([times]):
            new = value.read_value() * times
        with tf.control_dependencies([value.assign(new)]):
            return tf.identity(new)

    return update
