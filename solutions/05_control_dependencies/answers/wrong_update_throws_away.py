# exercise: update
# score:    3/7
# fails:    update-together: no longer has, or never had
# fails:    update-many: no longer has, or never had
# why:      calls scaled for its 20 ms, and then reads, scales and writes without a section

def make_update(value):
    @tf.function(input_signature=[tf.TensorSpec([], tf.float32)])
    def update(factor):
        with tf.control_dependencies([scaled(value.read_value(), factor)]):
            new = value.read_value() * factor
        with tf.control_dependencies([value.assign(new)]):
            return tf.identity(new)

    return update
