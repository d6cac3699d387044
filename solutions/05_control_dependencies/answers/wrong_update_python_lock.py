# exercise: update
# score:    3/7
# fails:    update-together: updates are lost
# fails:    update-many: updates are lost
# why:      a Python lock inside the function: it is held only while it is traced

def make_update(value):
    lock = threading.Lock()

    @tf.function(input_signature=[tf.TensorSpec([], tf.float32)])
    def update(factor):
        with lock:
            new = scaled(value.read_value(), factor)
            value.assign(new)
        return new

    return update
