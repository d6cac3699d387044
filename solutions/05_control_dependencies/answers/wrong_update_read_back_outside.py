# exercise: update
# score:    5/7
# breaks:   3
# fails:    update-many: reads the variable after it let others in
# why:      reads the new value after the section has ended

def make_update(value):
    section = tf.CriticalSection()

    @tf.function(input_signature=[tf.TensorSpec([], tf.float32)])
    def update(factor):
        def scale():
            with tf.control_dependencies([value.assign(scaled(value.read_value(), factor))]):
                return tf.constant(True)

        with tf.control_dependencies([section.execute(scale)]):
            return value.read_value()

    return update
