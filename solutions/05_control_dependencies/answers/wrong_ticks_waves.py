# exercise: ticks
# score:    4/7
# fails:    ticks-order, ticks-devices
# says:     in each tick
# why:      begins the next wave only when the whole wave before has run

def ticks(data, threads):
    nodes = tf.compat.v1.GraphDef.FromString(data).node
    needs = {node.name: {name.lstrip("^").split(":")[0] for name in node.input} for node in nodes}
    ended, plan = set(), []
    while len(ended) < len(needs):
        wave = [name for name in needs if name not in ended and needs[name] <= ended]
        plan += [wave[k:k + threads] for k in range(0, len(wave), threads)]
        ended |= set(wave)
    return plan
