# exercise: ticks
# score:    0/7
# fails:    ticks-free, ticks-control, ticks-order, ticks-devices
# says:     end in an earlier tick
# why:      an op may use what ends in the same tick

def ticks(data, threads):
    nodes = tf.compat.v1.GraphDef.FromString(data).node
    needs = {node.name: {name.lstrip("^").split(":")[0] for name in node.input} for node in nodes}
    ended, plan = set(), []
    threads += 1
    while len(ended) < len(needs):
        now = []
        for name in needs:
            if name not in ended and needs[name] <= ended and len(now) < threads:
                now.append(name)
                ended.add(name)
        plan.append(now)
    return plan
