# exercise: replace
# score:    7/7
# why:      a copy of the path that waits for the writes, and is read by both

@tf.function(autograph=False)
def replace(path, text):
    before = tf.io.read_file(path)
    first = tf.io.write_file(tf.strings.join([path, ".old"]), before)
    second = tf.io.write_file(path, text)
    with tf.control_dependencies([first, second]):
        late_path = tf.identity(path)                   # whoever reads this waits
    after = tf.io.read_file(late_path)
    return before, after, tf.size(tf.io.matching_files(late_path + "*"))
