# exercise: pipeline
# score:    6/8
# breaks:   3
# fails:    pipeline-slow: wait for the slow one
# why:      takes from the shards in turns

def input_pipeline(paths, n, ahead):
    shards = tf.data.Dataset.from_tensor_slices(paths)
    numbers = shards.interleave(
        lambda path: open_shard(path).ignore_errors(),
        cycle_length=len(paths),
    )
    return numbers.batch(n).prefetch(ahead)
