# exercise: shard
# score:    7/7
# why:      a heap, and a loop of additions
import heapq

def shard(shapes, ps):
    graph = tf.Graph()
    heap = [(0, task) for task in range(ps)]
    bytes_of = {name: tf.float32.size * tf.TensorShape(shape).num_elements() for name, shape in shapes.items()}
    where = {}
    for name in sorted(shapes, key=bytes_of.get, reverse=True):
        load, task = heapq.heappop(heap)
        where[name] = task
        heapq.heappush(heap, (load + bytes_of[name], task))
    with graph.as_default():
        parts = []
        for name in shapes:
            with tf.device(tf.DeviceSpec(job="ps", task=where[name]).to_string()):
                variable = v1.get_variable(name, shapes[name], tf.float32, v1.ones_initializer())
            with tf.device("/job:worker/replica:0/task:0"):
                parts.append(tf.math.reduce_sum(variable.read_value()))
        with tf.device("/job:worker/replica:0/task:0"):
            total = parts[0]
            for part in parts[1:]:
                total = tf.add(total, part)
            tf.identity(total, "total")
    return graph.as_graph_def().SerializeToString()


def sharded(shapes, ps):
    """Given, for the checks: run your graph on the cluster. Returns [total, {op: where it ran}]."""
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(v1.GraphDef.FromString(shard(shapes, ps)), name="")
    ready_cluster()
    value, metadata = on_cluster(graph, "total:0")
    return [float(value), placement_of(metadata)]
