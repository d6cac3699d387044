# exercise: drain
# score:    7/7
# why:      the session's timeout in place of the call's

import tensorflow as tf

def drain(graph_bytes, timeout_ms):
    graph, values, ended = tf.Graph(), [], None
    with graph.as_default():
        tf.import_graph_def(tf.compat.v1.GraphDef.FromString(graph_bytes), name="")
    config = tf.compat.v1.ConfigProto(operation_timeout_in_ms=timeout_ms)
    with tf.compat.v1.Session(graph=graph, config=config) as session:
        session.run(graph.get_operation_by_name("fill"))
        following = graph.get_tensor_by_name("next:0")
        while ended is None:
            try:
                values += [session.run(following)]
            except (tf.errors.OutOfRangeError, tf.errors.DeadlineExceededError) as error:
                ended = "closed" if isinstance(error, tf.errors.OutOfRangeError) else "timeout"
    return dict(values=values, ended=ended)
