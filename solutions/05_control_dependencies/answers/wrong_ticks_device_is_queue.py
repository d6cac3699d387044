# exercise: ticks
# score:    0/7
# fails:    ticks-free, ticks-control, ticks-order, ticks-devices
# says:     a device is not a queue
# why:      one op at a time on each device

def ticks(data, threads):
    nodes = {node.name: node for node in tf.compat.v1.GraphDef.FromString(data).node}
    needs = {name: {i.lstrip("^").split(":")[0] for i in node.input} for name, node in nodes.items()}
    ended, plan = set(), []
    while len(ended) < len(needs):
        busy, now = set(), []
        for name in needs:
            if name not in ended and needs[name] <= ended and nodes[name].device not in busy and len(now) < threads:
                busy.add(nodes[name].device)
                now.append(name)
        plan.append(now)
        ended |= set(now)
    return plan
