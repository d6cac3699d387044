# exercise: pipeline
# score:    8/8
# why:      the order is freed by an option of the dataset

def safely(path):
    return open_shard(path).ignore_errors(log_warning=False)


def input_pipeline(paths, n, ahead):
    options = tf.data.Options()
    options.deterministic = False
    files = tf.data.Dataset.from_tensor_slices(tf.constant(paths))
    joined = files.interleave(safely, cycle_length=len(paths), block_length=1, num_parallel_calls=len(paths))
    return joined.batch(n).with_options(options).prefetch(ahead)
