# exercise: ordered
# score:    6/6
# why:      takes the first API's names for tf, as programs of its time do

import contextlib

import tensorflow.compat.v1 as tf


def ordered(start, actions):
    graph = tf.Graph()
    with graph.as_default(), contextlib.ExitStack() as scopes:
        v = tf.get_variable("v", shape=[], initializer=tf.constant_initializer(start))
        with tf.control_dependencies([v.initializer]):
            tf.no_op(name="init")
        for what, number in actions:
            if what == "add":
                op = tf.assign_add(v, number).op
            elif what == "multiply":
                op = tf.assign(v, tf.multiply(v.read_value(), number)).op
            else:
                op = tf.assign(v, number).op
            scopes.enter_context(tf.control_dependencies([op]))
        tf.identity(v.read_value(), name="result")
    return graph.as_graph_def().SerializeToString()
