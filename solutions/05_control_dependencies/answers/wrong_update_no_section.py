# exercise: update
# score:    3/7
# breaks:   4
# fails:    update-together: updates are lost
# fails:    update-many: updates are lost
# why:      trusts the automatic dependencies, which end with the call

def make_update(value):
    section = tf.CriticalSection()

    @tf.function(input_signature=[tf.TensorSpec([], tf.float32)])
    def update(factor):
        def scale():
            new = scaled(value.read_value(), factor)
            with tf.control_dependencies([value.assign(new)]):
                return tf.identity(new)

        return scale()

    return update
