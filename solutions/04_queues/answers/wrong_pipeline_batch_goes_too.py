# exercise: pipeline
# score:    6/8
# breaks:   2
# fails:    pipeline-slow: with the batch that they were in
# why:      leaves out errors after batch: the batch with the error goes, too

def input_pipeline(paths, n, ahead):
    shards = tf.data.Dataset.from_tensor_slices(paths)
    numbers = shards.interleave(
        lambda path: open_shard(path),
        cycle_length=len(paths),
        num_parallel_calls=len(paths),
        deterministic=False,
    )
    return numbers.batch(n).ignore_errors().prefetch(ahead)
