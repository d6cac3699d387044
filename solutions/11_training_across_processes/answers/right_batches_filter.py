# exercise: batches
# score:    6/6
# why:      global batches are cut one by one
def local_batches(context, rows, global_batch):
    """The batches of one worker.

    Args:
        context: tf.distribute.InputContext; one input pipeline and one replica in each worker.
        rows: list of int, the rows of all workers, at least one.
        global_batch: int, rows of a step over all workers; a multiple of their number.
    Returns:
        tf.data.Dataset of int tensors of one dimension.
    """
    whole = tf.data.Dataset.from_tensor_slices(rows).batch(global_batch)
    return whole.map(lambda batch: batch[context.input_pipeline_id :: context.num_input_pipelines])

def share(losses, count):
    """One worker's part of the mean loss.

    Args:
        losses: list of float, of this worker's rows; may be empty.
        count: int, the rows of all workers in this step, 1 or more.
    Returns:
        float.
    """
    return float(tf.reduce_sum(tf.constant(losses, tf.float32)) / count)

def batches_of(workers, rows, global_batch):
    """Given, for the checks: the batches of all workers, a list for each."""
    found = []
    for index in range(workers):
        context = tf.distribute.InputContext(workers, index, workers)
        dataset = local_batches(context, rows, global_batch)
        found.append([batch.numpy().tolist() for batch in dataset.take(99)])
    return found
