# exercise: update
# score:    0/7
# fails:    update-alone: does not return a tf.function
# fails:    update-together: does not return a tf.function
# fails:    update-many: does not return a tf.function
# fails:    update-traced: does not return a tf.function
# why:      a Python function, not a tf.function

def make_update(value):
    section = tf.CriticalSection()

    def update(factor):
        def scale():
            new = scaled(value.read_value(), factor)
            with tf.control_dependencies([value.assign(new)]):
                return tf.identity(new)

        return section.execute(scale)

    return update
