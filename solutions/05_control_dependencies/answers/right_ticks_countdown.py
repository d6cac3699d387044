# exercise: ticks
# score:    7/7
# why:      counts down what each op still waits for

def ticks(data, threads):
    graph = tf.compat.v1.GraphDef()
    graph.ParseFromString(data)
    order = [node.name for node in graph.node]
    open_inputs = {node.name: {i.strip("^").partition(":")[0] for i in node.input} for node in graph.node}
    readers = {name: [other for other in order if name in open_inputs[other]] for name in order}
    left, plan = list(order), []
    while left:
        now = [name for name in left if not open_inputs[name]][:threads]
        left = [name for name in left if name not in now]
        for name in now:
            for reader in readers[name]:
                open_inputs[reader].discard(name)
        plan.append(now)
    return plan
