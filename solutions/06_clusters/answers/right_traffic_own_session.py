# exercise: traffic
# score:    8/8
# why:      a session of its own, and senders
import re

def traffic(data, fetch):
    definition = v1.GraphDef()
    definition.ParseFromString(data)
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(definition, name="")
        config = v1.ConfigProto(operation_timeout_in_ms=30_000)
        config.graph_options.rewrite_options.disable_meta_optimizer = True
        config.graph_options.optimizer_options.opt_level = -1
        record = v1.RunMetadata()
        with v1.Session(cluster.target("worker/0"), config=config) as session:
            session.run([op.name for op in graph.get_operations() if op.type == "AssignVariableOp"])
            session.run(fetch, options=v1.RunOptions(output_partition_graphs=True), run_metadata=record)

    def task(text):
        return "/".join(re.search(r"job:(\w+)/replica:0/task:(\d+)", text.decode()).groups())

    rows = []
    for part in record.partition_graphs:
        for node in part.node:
            if node.op == "_Send" and not node.input[0].startswith("^") and "/ctrl/" not in node.input[0]:
                name = node.input[0]
                a, b = task(node.attr["send_device"].s), task(node.attr["recv_device"].s)
                if a != b:
                    tensor = graph.get_tensor_by_name(f"{name}:0")
                    rows += [[name, a, b, tensor.dtype.size * int(np.prod(tensor.shape.as_list()))]]
    rows.sort()
    return rows
