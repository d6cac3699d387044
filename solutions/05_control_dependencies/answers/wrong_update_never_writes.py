# exercise: update
# score:    1/7
# breaks:   1
# fails:    update-alone: nothing writes it
# fails:    update-together: nothing writes it
# fails:    update-many: nothing writes it
# why:      returns the scaled value and does not write it

def make_update(value):
    section = tf.CriticalSection()

    @tf.function(input_signature=[tf.TensorSpec([], tf.float32)])
    def update(factor):
        def scale():
            new = scaled(value.read_value(), factor)
            return new

        return section.execute(scale)

    return update
