# exercise: pipeline
# score:    6/8
# fails:    pipeline-many: wait for the slow ones
# why:      opens two shards at a time

def input_pipeline(paths, n, ahead):
    shards = tf.data.Dataset.from_tensor_slices(paths)
    numbers = shards.interleave(
        lambda path: open_shard(path).ignore_errors(),
        cycle_length=2,
        num_parallel_calls=2,
        deterministic=False,
    )
    return numbers.batch(n).prefetch(ahead)
