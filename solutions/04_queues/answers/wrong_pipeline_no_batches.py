# exercise: pipeline
# score:    0/8
# breaks:   4
# fails:    pipeline-records: not batches
# fails:    pipeline-slow: not batches
# fails:    pipeline-many: not batches
# fails:    pipeline-ahead: not batches
# fails:    pipeline-last: not batches
# why:      single numbers, not batches

def input_pipeline(paths, n, ahead):
    shards = tf.data.Dataset.from_tensor_slices(paths)
    numbers = shards.interleave(
        lambda path: open_shard(path).ignore_errors(),
        cycle_length=len(paths),
        num_parallel_calls=len(paths),
        deterministic=False,
    )
    return numbers.prefetch(n * ahead)
