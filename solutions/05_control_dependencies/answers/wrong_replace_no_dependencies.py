# exercise: replace
# score:    5/7
# fails:    replace-read: no arrow makes a read wait
# why:      relies on the order of the lines

@tf.function(autograph=False)
def replace(path, text):
    before = tf.io.read_file(path)
    tf.io.write_file(tf.strings.join([path, ".old"]), before)
    tf.io.write_file(path, text)
    after = tf.io.read_file(path)
    files = tf.io.matching_files(tf.strings.join([path, "*"]))
    return before, after, tf.size(files)
