# exercise: ticks
# score:    3/7
# fails:    ticks-control, ticks-order
# says:     with ^ is a control dependency
# why:      leaves out inputs with ^

def ticks(data, threads):
    nodes = tf.compat.v1.GraphDef.FromString(data).node
    needs = {node.name: {name.split(":")[0] for name in node.input if name[0] != "^"} for node in nodes}
    ended, plan = set(), []
    while len(ended) < len(needs):
        ready = [name for name in needs if name not in ended and needs[name] <= ended]
        plan.append(ready[:threads])
        ended |= set(plan[-1])
    return plan
