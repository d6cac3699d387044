# exercise: repair
# score:    3/7
# fails:    repair-layers: no request of an inner scope was left
# fails:    repair-more: a product is not on its layer's device
# why:      takes all requests away: runs, but all on CPU:0
def repair(devices):
    definition = broken_model(devices)
    for node in definition.node:
        node.device = ""
    return definition.SerializeToString()
