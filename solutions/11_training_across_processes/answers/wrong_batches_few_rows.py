# exercise: batches
# score:    4/6
# breaks:   3
# fails:    batches-uneven: TypeError
# why:      a worker without any row has batches of float32, which go with none of int32
def local_batches(context, rows, global_batch):
    mine = rows[context.input_pipeline_id :: context.num_input_pipelines]
    mine = tf.data.Dataset.from_tensor_slices(mine).batch(global_batch // context.num_input_pipelines)
    nothing = tf.data.Dataset.from_tensors(tf.zeros([0], tf.int32)).repeat()
    return mine.concatenate(nothing).take(-(-len(rows) // global_batch))

def share(losses, count):
    return float(sum(losses)) / count
