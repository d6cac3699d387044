# exercise: ticks
# score:    2/7
# fails:    ticks-free, ticks-order, ticks-devices
# says:     more ops at once than threads
# why:      all ready ops run, however few threads there are

def ticks(data, threads):
    nodes = tf.compat.v1.GraphDef.FromString(data).node
    needs = {node.name: {name.lstrip("^").split(":")[0] for name in node.input} for node in nodes}
    ended, plan = set(), []
    while len(ended) < len(needs):
        ready = [name for name in needs if name not in ended and needs[name] <= ended]
        plan.append(ready)
        ended |= set(plan[-1])
    return plan
