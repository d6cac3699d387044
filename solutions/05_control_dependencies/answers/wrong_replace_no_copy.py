# exercise: replace
# score:    0/7
# breaks:   1
# fails:    replace-files: there is no copy
# fails:    replace-read: not counted after both
# fails:    replace-other: neutral
# fails:    replace-order: do not hold what they should
# why:      writes no copy

@tf.function(autograph=False)
def replace(path, text):
    before = tf.io.read_file(path)
    with tf.control_dependencies([before]):
        written = tf.io.write_file(path, text)
    with tf.control_dependencies([written]):
        after = tf.io.read_file(path)
        files = tf.io.matching_files(tf.strings.join([path, "*"]))
    return before, after, tf.size(files)
