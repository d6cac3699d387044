# exercise: claim
# score:    6/8
# breaks:   1
# fails:    claim-several: it begins at the card with the number of the rank; the ranks before it take several cards each
# why:      begins at the card with the number of the rank
def claim(local_rank, per_process=1):
    gpus = tf.config.list_physical_devices("GPU")
    if not gpus:
        return []
    mine = gpus[local_rank : local_rank + per_process] if (local_rank + 1) * per_process <= len(gpus) else []
    if len(mine) < per_process:
        raise ValueError(f"rank {local_rank} needs {per_process} cards; this host has {len(gpus)}")
    tf.config.set_visible_devices(mine, "GPU")
    for gpu in mine:
        tf.config.experimental.set_memory_growth(gpu, True)
    return [gpu.name for gpu in mine]
