# exercise: pipeline
# score:    5/8
# breaks:   5
# fails:    pipeline-records: is missing
# fails:    pipeline-last: is missing
# why:      drops the last batch where it is smaller

def input_pipeline(paths, n, ahead):
    shards = tf.data.Dataset.from_tensor_slices(paths)
    numbers = shards.interleave(
        lambda path: open_shard(path).ignore_errors(),
        cycle_length=len(paths),
        num_parallel_calls=len(paths),
        deterministic=False,
    )
    return numbers.batch(n, drop_remainder=True).prefetch(ahead)
