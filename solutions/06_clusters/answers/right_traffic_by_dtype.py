# exercise: traffic
# score:    8/8
# why:      bytes from NumPy
def traffic(data, fetch):
    graph = tf.Graph()
    with graph.as_default():
        tf.import_graph_def(v1.GraphDef.FromString(data), name="")
    metadata = on_cluster(graph, fetch)[1]
    result = []
    for row in transfers_of(metadata):
        name, ends = row[0], [end[: end.index(" ")] for end in row[1:]]
        if len(set(ends)) == 2:
            tensor = graph.get_operation_by_name(name).outputs[0]
            result.append([name] + ends + [np.zeros(tensor.shape, tensor.dtype.as_numpy_dtype).nbytes])
    result.sort()
    return result
