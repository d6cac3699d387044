# exercise: pipeline
# score:    1/8
# breaks:   1
# fails:    pipeline-records: more than once
# fails:    pipeline-slow: neutral
# fails:    pipeline-many: neutral
# fails:    pipeline-last: neutral
# why:      opens the first shard twice

def input_pipeline(paths, n, ahead):
    shards = tf.data.Dataset.from_tensor_slices([*paths, paths[0]])
    numbers = shards.interleave(
        lambda path: open_shard(path).ignore_errors(),
        cycle_length=len(paths),
        num_parallel_calls=len(paths),
        deterministic=False,
    )
    return numbers.batch(n).prefetch(ahead)
