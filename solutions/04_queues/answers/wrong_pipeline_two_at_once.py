# exercise: pipeline
# score:    7/8
# breaks:   8
# fails:    pipeline-ahead: before others have ended
# why:      reads two shards at a time; the others are not opened before one has ended

def input_pipeline(paths, n, ahead):
    shards = tf.data.Dataset.from_tensor_slices(paths)
    numbers = shards.interleave(
        lambda path: open_shard(path).ignore_errors(),
        cycle_length=2,
        num_parallel_calls=2,
        deterministic=False,
    )
    return numbers.batch(n).prefetch(ahead)
