# exercise: claim
# score:    6/8
# breaks:   1
# fails:    claim-several: it takes one card, whatever per_process says
# why:      takes one card, whatever per_process says
def claim(local_rank, per_process=1):
    gpus = tf.config.list_physical_devices("GPU")
    if not gpus:
        return []
    mine = gpus[local_rank * per_process : (local_rank + 1) * per_process]
    enough = len(mine) == per_process
    mine = mine[:1]
    if not enough:
        raise ValueError(f"rank {local_rank} needs {per_process} cards; this host has {len(gpus)}")
    tf.config.set_visible_devices(mine, "GPU")
    for gpu in mine:
        tf.config.experimental.set_memory_growth(gpu, True)
    return [gpu.name for gpu in mine]
