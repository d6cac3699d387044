# exercise: batches
# score:    4/6
# breaks:   3
# fails:    batches-uneven: different numbers of steps
# why:      adds an empty batch wherever a worker has fewer rows than the first
def local_batches(context, rows, global_batch):
    """The batches of one worker.

    Args:
        context: tf.distribute.InputContext; one input pipeline and one replica in each worker.
        rows: list of int, the rows of all workers, at least one.
        global_batch: int, rows of a step over all workers; a multiple of their number.
    Returns:
        tf.data.Dataset of int tensors of one dimension.
    """
    n, i = context.num_input_pipelines, context.input_pipeline_id
    mine = rows[i::n]
    size = global_batch // n
    batches = [mine[s : s + size] for s in range(0, len(mine), size)]
    if len(rows) % global_batch and len(mine) < len(rows[0::n]):
        batches.append([])
    return tf.data.Dataset.from_generator(
        lambda: (tf.constant(b, tf.int32) for b in batches), output_signature=tf.TensorSpec([None], tf.int32))

def share(losses, count):
    """One worker's part of the mean loss.

    Args:
        losses: list of float, of this worker's rows; may be empty.
        count: int, the rows of all workers in this step, 1 or more.
    Returns:
        float.
    """
    return float(sum(losses)) / count

def batches_of(workers, rows, global_batch):
    """Given, for the checks: the batches of all workers, a list for each."""
    found = []
    for index in range(workers):
        context = tf.distribute.InputContext(workers, index, workers)
        dataset = local_batches(context, rows, global_batch)
        found.append([batch.numpy().tolist() for batch in dataset.take(99)])
    return found
