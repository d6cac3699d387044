# exercise: ticks
# score:    3/7
# fails:    ticks-control, ticks-order
# says:     second output of halves
# why:      takes halves:1 for an op that never ends, and gives up

def ticks(data, threads):
    nodes = tf.compat.v1.GraphDef.FromString(data).node
    needs = {node.name: {name.lstrip("^") for name in node.input} for node in nodes}
    ended, plan = set(), []
    while len(ended) < len(needs):
        ready = [name for name in needs if name not in ended and needs[name] <= ended]
        if not ready:
            break
        plan.append(ready[:threads])
        ended |= set(plan[-1])
    return plan
