# exercise: repair
# score:    0/7
# breaks:   2
# fails:    repair-runs: still say GPU
# fails:    repair-layers: still say GPU
# fails:    repair-more: still say GPU
# fails:    repair-output: still say GPU
# why:      changes nothing and hopes for soft placement
def repair(devices):
    tf.config.set_soft_device_placement(True)
    return broken_model(devices).SerializeToString()
