# exercise: replace
# score:    7/7
# why:      the writes are a tf.function of their own

@tf.function
def write_both(path, text, before):
    tf.io.write_file(tf.strings.join([path, ".old"]), before)
    tf.io.write_file(path, text)
    return tf.constant(True)


@tf.function
def replace(path, text):
    before = tf.io.read_file(path)
    done = write_both(path, text, before)
    with tf.control_dependencies([done]):
        after = tf.io.read_file(path)
        names = tf.io.matching_files(tf.strings.join([path, "*"]))
    return before, after, tf.cast(tf.size(names), tf.int32)
