# exercise: ticks
# score:    5/7
# fails:    ticks-order
# says:     in front of the ops that it reads
# why:      goes through the GraphDef once, level by level, as if inputs came first

def ticks(data, threads):
    level, plan = {}, []
    for node in tf.compat.v1.GraphDef.FromString(data).node:
        inputs = [name.lstrip("^").split(":")[0] for name in node.input]
        t = max((level[name] + 1 for name in inputs), default=0)
        while t < len(plan) and len(plan[t]) >= threads:
            t += 1
        level[node.name] = t
        while len(plan) <= t:
            plan.append([])
        plan[t].append(node.name)
    return plan
