# exercise: update
# score:    3/7
# fails:    update-together: updates are lost
# fails:    update-many: updates are lost
# why:      only the write is in the critical section

def make_update(value):
    section = tf.CriticalSection()

    @tf.function(input_signature=[tf.TensorSpec([], tf.float32)])
    def update(factor):
        new = scaled(value.read_value(), factor)

        def scale():
            with tf.control_dependencies([value.assign(new)]):
                return tf.identity(new)

        return section.execute(scale)

    return update
