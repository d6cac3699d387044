# exercise: spread
# score:    9/9
# why:      adds one product after the other, all on CPU:0; deals the devices out with zip
import itertools


def spread(n, devices):
    graph = tf.Graph()
    with graph.as_default(), tf.device("/device:CPU:0"):
        matrix = tf.constant([[1., 2.], [3., 4.]])
        added = tf.zeros([2, 2])
        for i, device in zip(range(1, n + 1), itertools.cycle(devices)):
            with tf.device(device):
                product = matrix @ tf.linalg.diag([float(i), float(i)])
            added = tf.add(added, product, name="total" if i == n else f"added{i}")
    return graph.as_graph_def().SerializeToString()
