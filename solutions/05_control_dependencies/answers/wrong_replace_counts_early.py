# exercise: replace
# score:    5/7
# breaks:   5
# fails:    replace-read: no arrow makes the count wait
# why:      counts the files before the copy is there

@tf.function(autograph=False)
def replace(path, text):
    before = tf.io.read_file(path)
    files = tf.io.matching_files(tf.strings.join([path, "*"]))
    with tf.control_dependencies([before, files]):
        before = tf.identity(before)
    copied = tf.io.write_file(tf.strings.join([path, ".old"]), before)
    with tf.control_dependencies([copied]):
        written = tf.io.write_file(path, text)
    with tf.control_dependencies([written]):
        after = tf.io.read_file(path)
    return before, after, tf.size(files)
