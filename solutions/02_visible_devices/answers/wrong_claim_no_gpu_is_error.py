# exercise: claim
# score:    5/8
# breaks:   8
# fails:    claim-returns: on a machine without a GPU the program shall run too: return an empty list, raise nothing
# fails:    claim-few: a machine without a GPU is no error
# why:      a machine without a GPU has too few cards
def claim(local_rank, per_process=1):
    gpus = tf.config.list_physical_devices("GPU")
    mine = gpus[local_rank * per_process : (local_rank + 1) * per_process]
    if len(mine) < per_process:
        raise ValueError(f"rank {local_rank} needs {per_process} cards; this host has {len(gpus)}")
    tf.config.set_visible_devices(mine, "GPU")
    for gpu in mine:
        tf.config.experimental.set_memory_growth(gpu, True)
    return [gpu.name for gpu in mine]
