# exercise: pipeline
# score:    4/8
# breaks:   2
# fails:    pipeline-slow: ends the whole dataset
# fails:    pipeline-many: ends the whole dataset
# why:      lets a damaged shard end everything

def input_pipeline(paths, n, ahead):
    shards = tf.data.Dataset.from_tensor_slices(paths)
    numbers = shards.interleave(
        lambda path: open_shard(path),
        cycle_length=len(paths),
        num_parallel_calls=len(paths),
        deterministic=False,
    )
    return numbers.batch(n).prefetch(ahead)
