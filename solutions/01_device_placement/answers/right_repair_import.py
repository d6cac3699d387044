# exercise: repair
# score:    7/7
# why:      imports the broken graph under a new outer function that forgets the GPU
def repair(devices):
    definition = broken_model(devices)
    layer_of = {}
    for i, device in enumerate(devices, start=1):
        layer_of[f"w{i}"] = layer_of[f"layer{i}"] = device
    for node in definition.node:
        owner = node.name.split("/")[0]
        node.device = layer_of.get(owner, "")
    graph = tf.Graph()
    with graph.as_default(), tf.device("/device:CPU:0"):
        tf.import_graph_def(definition, name="")
    return graph.as_graph_def().SerializeToString()
