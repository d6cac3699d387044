# exercise: replace
# score:    5/7
# breaks:   6
# fails:    replace-read: no arrow makes a read wait
# why:      all steps in a function of their own, without an arrow from the writes to what is read

@tf.function(autograph=False)
def steps(path, text):
    before = tf.io.read_file(path)
    tf.io.write_file(path + ".old", before)
    tf.io.write_file(path, text)
    return before, tf.io.read_file(path), tf.size(tf.io.matching_files(path + "*"))


@tf.function(autograph=False)
def replace(path, text):
    return steps(path, text)
