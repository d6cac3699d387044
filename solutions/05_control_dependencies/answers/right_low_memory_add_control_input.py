# exercise: low_memory
# score:    8/8
# why:      imports the graph and adds control inputs to its ops; sums from running totals

import itertools


def low_memory(sizes, limit):
    graph = tf.Graph()
    with graph.as_default():
        tf.import_graph_def(tf.compat.v1.GraphDef.FromString(all_at_once(sizes)), name="")
    ends = [0, *itertools.accumulate(sizes)]
    for i in range(len(sizes)):
        late_enough = [k for k in range(i) if ends[i + 1] - ends[k + 1] <= limit]
        if ends[i + 1] > limit:
            big = graph.get_operation_by_name(f"big_{i}")
            big._add_control_input(graph.get_operation_by_name(f"step_{late_enough[0]}"))
    return graph.as_graph_def().SerializeToString()
