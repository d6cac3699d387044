# exercise: update
# score:    1/7
# breaks:   3
# fails:    update-alone: from before the update
# fails:    update-together: not what each of them has written
# fails:    update-many: another call has written
# why:      returns the value from before

def make_update(value):
    section = tf.CriticalSection()

    @tf.function(input_signature=[tf.TensorSpec([], tf.float32)])
    def update(factor):
        def scale():
            old = tf.identity(value.read_value())
            new = scaled(old, factor)
            with tf.control_dependencies([value.assign(new)]):
                return tf.identity(old)

        return section.execute(scale)

    return update
