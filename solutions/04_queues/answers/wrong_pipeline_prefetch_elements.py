# exercise: pipeline
# score:    7/8
# fails:    pipeline-ahead: fewer batches are made ahead
# why:      makes single numbers ahead, not batches

def input_pipeline(paths, n, ahead):
    shards = tf.data.Dataset.from_tensor_slices(paths)
    numbers = shards.interleave(
        lambda path: open_shard(path).ignore_errors(),
        cycle_length=len(paths),
        num_parallel_calls=len(paths),
        deterministic=False,
    )
    return numbers.prefetch(ahead).batch(n)
