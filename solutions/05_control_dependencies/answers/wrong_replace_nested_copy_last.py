# exercise: replace
# score:    6/7
# breaks:   2
# fails:    replace-order: is replaced first
# why:      each write is a function of its own; the file is replaced first

@tf.function
def write(name, text):
    tf.io.write_file(name, text)
    return tf.constant(True)


@tf.function
def replace(path, text):
    before = tf.io.read_file(path)
    with tf.control_dependencies([before]):
        written = write(path, text)
    with tf.control_dependencies([written]):
        copied = write(path + ".old", before)
    with tf.control_dependencies([copied]):
        return before, tf.io.read_file(path), tf.size(tf.io.matching_files(path + "*"))
