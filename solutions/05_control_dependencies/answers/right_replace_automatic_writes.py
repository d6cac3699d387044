# exercise: replace
# score:    7/7
# why:      lets the automatic dependencies order the writes

@tf.function
def replace(path, text):
    before = tf.io.read_file(path)
    tf.io.write_file(path + ".old", before)
    done = tf.io.write_file(path, text)                # writes keep the order of the lines
    with tf.control_dependencies([done]):
        return before, tf.io.read_file(path), tf.shape(tf.io.matching_files(path + "*"))[0]
