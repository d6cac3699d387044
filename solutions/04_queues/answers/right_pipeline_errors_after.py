# exercise: pipeline
# score:    8/8
# why:      leaves errors out after the shards were joined; one chain

def input_pipeline(paths, n, ahead):
    return (tf.data.Dataset.from_tensor_slices(list(paths))
            .interleave(open_shard, cycle_length=len(paths), num_parallel_calls=len(paths), deterministic=False)
            .ignore_errors()
            .batch(n, drop_remainder=False)
            .prefetch(buffer_size=ahead))
