# exercise: replace
# score:    7/7
# why:      an input signature
@tf.function(input_signature=[tf.TensorSpec([], tf.string), tf.TensorSpec([], tf.string)])
def replace(path, text):
    before = tf.io.read_file(path)
    old = tf.strings.format("{}", path)
    copied = tf.io.write_file(tf.strings.reduce_join([path, tf.constant(".old")]), before)
    with tf.control_dependencies([copied]):
        written = tf.io.write_file(path, text)
        with tf.control_dependencies([written]):
            after = tf.identity(tf.io.read_file(path))
            number = tf.cast(tf.size(tf.io.matching_files([path + "*"])), tf.int32)
    return (before, after, number)
