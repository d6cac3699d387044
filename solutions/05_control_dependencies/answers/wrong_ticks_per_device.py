# exercise: ticks
# score:    6/7
# fails:    ticks-devices
# says:     not each device's
# why:      gives each device threads of its own

def ticks(data, threads):
    nodes = {node.name: node for node in tf.compat.v1.GraphDef.FromString(data).node}
    needs = {name: {i.lstrip("^").split(":")[0] for i in node.input} for name, node in nodes.items()}
    ended, plan = set(), []
    while len(ended) < len(needs):
        now = []
        for name in needs:
            there = [other for other in now if nodes[other].device == nodes[name].device]
            if name not in ended and needs[name] <= ended and len(there) < threads:
                now.append(name)
        plan.append(now)
        ended |= set(now)
    return plan
