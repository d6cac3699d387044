# exercise: pipeline
# score:    7/8
# breaks:   7
# fails:    pipeline-ahead: everything is read before
# why:      reads everything before the first batch

def input_pipeline(paths, n, ahead):
    shards = tf.data.Dataset.from_tensor_slices(paths)
    numbers = shards.interleave(
        lambda path: open_shard(path).ignore_errors(),
        cycle_length=len(paths),
        num_parallel_calls=len(paths),
        deterministic=False,
    )
    numbers = tf.data.Dataset.from_tensor_slices(list(numbers.as_numpy_iterator()))
    return numbers.batch(n).prefetch(ahead)
