# exercise: update
# score:    7/7
# why:      tf.function called on a lambda; the section covers all of it

def make_update(value):
    section = tf.CriticalSection()

    def write(new):
        with tf.control_dependencies([value.assign(new)]):
            return new + 0.

    update = tf.function(
        lambda factor: section.execute(lambda: write(scaled(value.read_value(), factor))),
        autograph=False,
        input_signature=(tf.TensorSpec([], tf.float32, name="factor"),),
    )
    return update
