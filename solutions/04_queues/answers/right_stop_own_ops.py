# exercise: stop
# score:    7/7
# why:      a class of threads; takes what is left at once, by an op that it adds to the graph

class Producer(threading.Thread):
    def __init__(self, session, name):
        super().__init__(daemon=True)
        self.session, self.op, self.outcome = session, name, "done"

    def run(self):
        try:
            self.session.run(self.op)
        except tf.errors.OpError as error:
            self.outcome = type(error).__name__


def stop_cleanly(graph_bytes, producers, n):
    graph = opened(graph_bytes)
    [handle] = graph.get_operation_by_name("next").inputs
    with graph.as_default():
        size = tf.raw_ops.QueueSizeV2(handle=handle)
        [several] = tf.raw_ops.QueueDequeueManyV2(handle=handle, n=size, component_types=[tf.float32])
    with v1.Session(graph=graph) as session:
        threads = {name: Producer(session, name) for name in producers}
        for thread in threads.values():
            thread.start()
        taken = []
        for _ in range(n):
            taken += [session.run("next:0").tolist()]
        session.run("cancel")
        for thread in threads.values():
            thread.join()
        rest = session.run(several).tolist()
    return {"taken": taken, "rest": rest, "ended": {name: thread.outcome for name, thread in threads.items()}}
