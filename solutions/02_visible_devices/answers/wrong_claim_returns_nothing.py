# exercise: claim
# score:    5/8
# breaks:   9
# fails:    claim-returns: it returns nothing
# fails:    claim-several: neutral
# why:      returns nothing
def claim(local_rank, per_process=1):
    gpus = tf.config.list_physical_devices("GPU")
    if not gpus:
        return []
    mine = gpus[local_rank * per_process : (local_rank + 1) * per_process]
    if len(mine) < per_process:
        raise ValueError(f"rank {local_rank} needs {per_process} cards; this host has {len(gpus)}")
    tf.config.set_visible_devices(mine, "GPU")
    for gpu in mine:
        tf.config.experimental.set_memory_growth(gpu, True)
