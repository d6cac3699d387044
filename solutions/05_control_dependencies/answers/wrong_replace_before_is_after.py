# exercise: replace
# score:    3/7
# breaks:   3
# fails:    replace-files: the first result is not what was in the file before
# fails:    replace-other: neutral
# why:      the first result is read after the write

@tf.function(autograph=False)
def replace(path, text):
    before = tf.io.read_file(path)
    copied = tf.io.write_file(tf.strings.join([path, ".old"]), before)
    with tf.control_dependencies([copied]):
        written = tf.io.write_file(path, text)
    with tf.control_dependencies([written]):
        after = tf.io.read_file(path)
        files = tf.io.matching_files(tf.strings.join([path, "*"]))
    return after, after, tf.size(files)
