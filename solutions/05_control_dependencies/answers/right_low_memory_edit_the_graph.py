# exercise: low_memory
# score:    8/8
# why:      adds the edges to the GraphDef of all_at_once

def low_memory(sizes, limit):
    definition = tf.compat.v1.GraphDef.FromString(all_at_once(sizes))
    nodes = {node.name: node for node in definition.node}
    for i in range(len(sizes)):
        total, k = 0, i
        while k >= 0 and total + sizes[k] <= limit:
            total += sizes[k]
            k -= 1
        if k >= 0:
            nodes[f"big_{i}"].input.append(f"^step_{k}")
    return definition.SerializeToString()
