# exercise: replace
# score:    5/7
# breaks:   6
# fails:    replace-read: no arrow makes a read wait
# why:      the read waits for the copy only

@tf.function(autograph=False)
def replace(path, text):
    before = tf.io.read_file(path)
    copied = tf.io.write_file(tf.strings.join([path, ".old"]), before)
    with tf.control_dependencies([copied]):
        written = tf.io.write_file(path, text)
    with tf.control_dependencies([copied]):
        after = tf.io.read_file(path)
    with tf.control_dependencies([written]):
        files = tf.io.matching_files(tf.strings.join([path, "*"]))
    return before, after, tf.size(files)
