# exercise: batches
# score:    4/6
# breaks:   4
# fails:    batches-share: own rows
# fails:    batches-empty: neutral
# why:      the mean of the worker's own rows, and 0.0 without any
def local_batches(context, rows, global_batch):
    """The batches of one worker.

    Args:
        context: tf.distribute.InputContext; one input pipeline and one replica in each worker.
        rows: list of int, the rows of all workers, at least one.
        global_batch: int, rows of a step over all workers; a multiple of their number.
    Returns:
        tf.data.Dataset of int tensors of one dimension.
    """
    mine = tf.data.Dataset.from_tensor_slices(rows)
    mine = mine.shard(context.num_input_pipelines, context.input_pipeline_id)
    mine = mine.batch(context.get_per_replica_batch_size(global_batch))
    nothing = tf.data.Dataset.from_tensors(tf.zeros([0], tf.int32)).repeat()
    steps = -(-len(rows) // global_batch)
    return mine.concatenate(nothing).take(steps)

def share(losses, count):
    """One worker's part of the mean loss.

    Args:
        losses: list of float, of this worker's rows; may be empty.
        count: int, the rows of all workers in this step, 1 or more.
    Returns:
        float.
    """
    return float(sum(losses)) / len(losses) if losses else 0.0

def batches_of(workers, rows, global_batch):
    """Given, for the checks: the batches of all workers, a list for each."""
    found = []
    for index in range(workers):
        context = tf.distribute.InputContext(workers, index, workers)
        dataset = local_batches(context, rows, global_batch)
        found.append([batch.numpy().tolist() for batch in dataset.take(99)])
    return found
