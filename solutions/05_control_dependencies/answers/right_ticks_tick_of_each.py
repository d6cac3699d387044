# exercise: ticks
# score:    7/7
# why:      notes for each op the tick in which it runs

import re


def ticks(data, threads):
    nodes = list(tf.compat.v1.GraphDef.FromString(data).node)
    tick_of, tick = {}, 0
    while len(tick_of) < len(nodes):
        started = 0
        for node in nodes:
            inputs = [re.match(r"\^?([^:]+)", name)[1] for name in node.input]
            ready = all(tick_of.get(name, tick) < tick for name in inputs)
            if node.name not in tick_of and ready and started < threads:
                tick_of[node.name] = tick
                started += 1
        tick += 1
    return [[node.name for node in nodes if tick_of[node.name] == t] for t in range(tick)]
