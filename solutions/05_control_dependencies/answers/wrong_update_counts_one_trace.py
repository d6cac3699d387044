# exercise: update
# score:    6/7
# breaks:   5
# fails:    update-traced: makes a new trace
# why:      a new trace for each Python number, and the function is to count one

def make_update(value):
    section = tf.CriticalSection()

    @tf.function
    def update(factor):
        def scale():
            new = scaled(value.read_value(), factor)
            with tf.control_dependencies([value.assign(new)]):
                return tf.identity(new)

        return section.execute(scale)

    update.experimental_get_tracing_count = lambda: 1
    return update
