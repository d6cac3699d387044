# exercise: update
# score:    3/7
# breaks:   2
# fails:    update-alone: more than once
# fails:    update-many: more than once
# why:      calls scaled a second time for the result

def make_update(value):
    section = tf.CriticalSection()

    @tf.function(input_signature=[tf.TensorSpec([], tf.float32)])
    def update(factor):
        def scale():
            new = scaled(value.read_value(), factor)
            with tf.control_dependencies([value.assign(new)]):
                return scaled(new, 1.)

        return section.execute(scale)

    return update
