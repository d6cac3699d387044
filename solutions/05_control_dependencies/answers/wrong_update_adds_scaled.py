# exercise: update
# score:    1/7
# breaks:   1
# fails:    update-alone: neutral
# fails:    update-together: neutral
# fails:    update-many: neutral
# why:      adds the scaled value instead of writing it, in a right critical section

def make_update(value):
    section = tf.CriticalSection()

    @tf.function(input_signature=[tf.TensorSpec([], tf.float32)])
    def update(factor):
        def scale():
            new = value.assign_add(scaled(value.read_value(), factor))
            return tf.identity(new)

        return section.execute(scale)

    return update
