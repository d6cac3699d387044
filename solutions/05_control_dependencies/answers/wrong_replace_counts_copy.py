# exercise: replace
# score:    5/7
# breaks:   5
# fails:    replace-read: not that of the files that were found
# why:      counts the copy only, and adds one
@tf.function(autograph=False)
def replace(path, text):
    before = tf.io.read_file(path)
    copied = tf.io.write_file(path + ".old", before)
    with tf.control_dependencies([copied]):
        written = tf.io.write_file(path, text)
    with tf.control_dependencies([written]):
        after = tf.io.read_file(path)
        files = tf.io.matching_files(path + ".old")
    return before, after, tf.size(files) + 1
