# exercise: pipeline
# score:    8/8
# why:      the older transformation, which is sloppy about the order

def input_pipeline(paths, n, ahead):
    def numbers_of(path):
        return open_shard(path).ignore_errors()

    together = tf.data.experimental.parallel_interleave(
        numbers_of, cycle_length=len(paths), sloppy=True, buffer_output_elements=1, prefetch_input_elements=0)
    dataset = tf.data.Dataset.from_tensor_slices(paths).apply(together)
    return dataset.batch(n).prefetch(ahead)
