# exercise: repair
# score:    7/7
# why:      mends the requests in the broken graph itself

import re


def repair(devices):
    definition = broken_model(devices)
    for node in definition.node:
        layer = re.match(r"(?:w|layer)(\d+)(?:/|$)", node.name)
        node.device = devices[int(layer[1]) - 1] if layer else "/device:CPU:0"
    return definition.SerializeToString()
