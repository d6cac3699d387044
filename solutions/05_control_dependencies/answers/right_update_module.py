# exercise: update
# score:    7/7
# why:      a tf.Module with a method; assign's own value is read

class Scaler(tf.Module):
    def __init__(self, value):
        self.value = value
        self.section = tf.CriticalSection()

    @tf.function(input_signature=[tf.TensorSpec([], tf.float32)])
    def update(self, factor):
        def body():
            new = scaled(self.value, factor)
            written = self.value.assign(new)
            return written.read_value()

        return self.section.execute(body)


def make_update(value):
    scaler = Scaler(value)
    return tf.function(lambda factor: scaler.update(factor), input_signature=[tf.TensorSpec([], tf.float32)])
