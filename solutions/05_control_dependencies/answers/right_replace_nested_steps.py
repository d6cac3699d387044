# exercise: replace
# score:    7/7
# why:      each step is a function of its own, called in order

@tf.function
def save(name, text):
    with tf.control_dependencies([tf.io.write_file(name, text)]):
        return tf.identity(name)


@tf.function
def look(path):
    return tf.io.read_file(path), tf.size(tf.io.matching_files(path + "*"))


@tf.function
def replace(path, text):
    before = tf.io.read_file(path)
    with tf.control_dependencies([save(path + ".old", before)]):
        written = save(path, text)
    after, files = look(written)
    return before, after, files
