# exercise: replace
# score:    6/7
# breaks:   2
# fails:    replace-order: is replaced first
# why:      replaces the file first and makes the copy afterwards: a crash between them loses the old text

@tf.function(autograph=False)
def replace(path, text):
    before = tf.io.read_file(path)
    with tf.control_dependencies([before]):
        replaced_ = tf.io.write_file(path, text)
    with tf.control_dependencies([replaced_]):
        written = tf.io.write_file(tf.strings.join([path, ".old"]), before)
    with tf.control_dependencies([written]):
        after = tf.io.read_file(path)
        files = tf.io.matching_files(tf.strings.join([path, "*"]))
    return before, after, tf.size(files)
