# exercise: replace
# score:    2/7
# fails:    replace-files: the copy holds the new text
# fails:    replace-other: neutral
# fails:    replace-order: do not hold what they should
# why:      the copy holds the new text

@tf.function(autograph=False)
def replace(path, text):
    before = tf.io.read_file(path)
    copied = tf.io.write_file(tf.strings.join([path, ".old"]), text)
    with tf.control_dependencies([copied]):
        written = tf.io.write_file(path, text)
    with tf.control_dependencies([written]):
        after = tf.io.read_file(path)
        files = tf.io.matching_files(tf.strings.join([path, "*"]))
    return before, after, tf.size(files)
