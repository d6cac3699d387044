# exercise: replace
# score:    7/7
# why:      nested scopes and a group; tf.function called by hand

def replace(path, text):
    before = tf.io.read_file(path)
    with tf.control_dependencies([before]):
        copied = tf.io.write_file(tf.strings.join([path, ".old"], ""), before)
        with tf.control_dependencies([copied]):
            both = tf.group(copied, tf.io.write_file(path, text))
            with tf.control_dependencies([both]):
                files = tf.io.matching_files([tf.strings.join([path, "*"])])
                after = tf.io.read_file(path)
    return before, after, tf.reduce_sum(tf.ones_like(files, tf.int32, name="one"))


replace = tf.function(replace)
