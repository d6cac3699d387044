# exercise: repair
# score:    7/7
# why:      takes the first API's names for tf, as programs of its time do
import tensorflow.compat.v1 as tf


def repair(devices):
    with tf.Graph().as_default() as graph:
        x = h = tf.placeholder(tf.float32, [1, 2], name="x")
        for i, device in enumerate(devices, start=1):
            with tf.device(device):
                w = tf.get_variable(f"w{i}", initializer=[[1., float(i)], [0., 1.]])
                h = tf.matmul(h, w, name=f"layer{i}")
        tf.reduce_sum(h, name="output")
    return graph.as_graph_def().SerializeToString()
