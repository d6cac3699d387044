# exercise: replace
# score:    3/7
# breaks:   4
# fails:    replace-read: not read again after the writes
# fails:    replace-other: does not come from the disk
# why:      returns the text that it was given, without reading the file

@tf.function(autograph=False)
def replace(path, text):
    before = tf.io.read_file(path)
    copied = tf.io.write_file(tf.strings.join([path, ".old"]), before)
    with tf.control_dependencies([copied]):
        written = tf.io.write_file(path, text)
    with tf.control_dependencies([written]):
        after = tf.identity(text)
        files = tf.io.matching_files(tf.strings.join([path, "*"]))
    return before, after, tf.size(files)
