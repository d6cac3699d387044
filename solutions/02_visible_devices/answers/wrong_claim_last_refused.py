# exercise: claim
# score:    4/8
# breaks:   6
# fails:    claim-card: four processes fit on four cards
# fails:    claim-few: the last cards of the host may be taken
# why:      refuses the last cards of the host
def claim(local_rank, per_process=1):
    gpus = tf.config.list_physical_devices("GPU")
    if not gpus:
        return []
    mine = gpus[local_rank * per_process : (local_rank + 1) * per_process]
    if (local_rank + 1) * per_process >= len(gpus):
        raise ValueError(f"rank {local_rank} needs {per_process} cards; this host has {len(gpus)}")
    tf.config.set_visible_devices(mine, "GPU")
    for gpu in mine:
        tf.config.experimental.set_memory_growth(gpu, True)
    return [gpu.name for gpu in mine]
