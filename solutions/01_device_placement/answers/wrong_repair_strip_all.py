# exercise: repair
# score:    2/7
# fails:    repair-layers, repair-variables
# says:     the inner scopes must count
# why:      takes all requests away: runs, but all on CPU:0
def repair(devices):
    definition = broken_model(devices)
    for node in definition.node:
        node.device = ""
    return definition.SerializeToString()
