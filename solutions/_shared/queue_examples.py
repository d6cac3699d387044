# @title Examples for the exercises on queues (run this too)
import os

import tensorflow as tf


def opened(graph_bytes):
    """The tf.Graph that is written in the bytes of a GraphDef."""
    graph = tf.Graph()
    with graph.as_default():
        definition = tf.compat.v1.GraphDef.FromString(graph_bytes)
        tf.import_graph_def(definition, name="")
    return graph


def numbers_graph(closed):
    """For the exercise on draining: the queue gets 1, 2 and 3, and is then closed or not."""
    with tf.Graph().as_default() as graph:
        queue = tf.queue.FIFOQueue(10, tf.float32, shapes=[()])
        with tf.control_dependencies([queue.enqueue_many([[1.0, 2.0, 3.0]])]):
            tf.group(queue.close() if closed else tf.no_op(), name="fill")
        queue.dequeue(name="next")
    return graph.as_graph_def().SerializeToString()


def batch_graph(*puts):
    """For the exercise on batches: ops put_1, put_2, ... put the lists of numbers given."""
    with tf.Graph().as_default() as graph:
        queue = tf.queue.FIFOQueue(20, tf.float32, shapes=[()])
        for i, numbers in enumerate(puts, start=1):
            queue.enqueue_many([[float(number) for number in numbers]], name=f"put_{i}")
        queue.dequeue(name="next")
        queue.size(name="size")
        queue.close(name="close")
        queue.dequeue_many(tf.compat.v1.placeholder(tf.int32, [], name="n"), name="many")
    return graph.as_graph_def().SerializeToString()


def producer_graph(capacity, **puts):
    """For the exercise on stopping: one op for each keyword, which puts the numbers given."""
    with tf.Graph().as_default() as graph:
        queue = tf.queue.FIFOQueue(capacity, tf.float32, shapes=[()])
        for name, numbers in puts.items():
            queue.enqueue_many([[float(number) for number in numbers]], name=name)
        queue.dequeue(name="next")
        queue.size(name="size")
        queue.close(name="close")
        queue.close(cancel_pending_enqueues=True, name="cancel")
    return graph.as_graph_def().SerializeToString()


def prediction_graph(models, arrivals):
    """For the exercise on the ensemble: one {model: [(step, prediction), ...]} for each step."""
    with tf.Graph().as_default() as graph:
        queues = {}
        for model in models:
            queues[model] = tf.queue.FIFOQueue(20, [tf.int32, tf.float32], shapes=[(), (2,)])
            queues[model].dequeue(name=f"{model}/next")
            queues[model].size(name=f"{model}/size")
        for i, arrival in enumerate(arrivals):
            puts = []
            for model, sent in arrival.items():
                steps = [step for step, _ in sent]
                predictions = [prediction for _, prediction in sent]
                puts.append(queues[model].enqueue_many([steps, predictions]))
            tf.group(*puts, name=f"arrive_{i}")
    return graph.as_graph_def().SerializeToString()


def write_shards(folder, shards):
    """Write each list of texts as a TFRecord file; a last text "damaged" cuts its end off."""
    paths = []
    for i, texts in enumerate(shards):
        path = os.path.join(folder, f"shard-{i}")
        with tf.io.TFRecordWriter(path) as writer:
            for text in texts:
                writer.write(text.encode())
        if texts and texts[-1] == "damaged":
            with open(path, "r+b") as file:
                file.truncate(os.path.getsize(path) - 3)
        paths.append(path)
    return paths
