# exercise: claim
# score:    4/8
# breaks:   2
# fails:    claim-card: all GPUs are still visible: tf.config.set_visible_devices hides them
# fails:    claim-several: neutral
# why:      chooses its card and hides no other
def claim(local_rank, per_process=1):
    gpus = tf.config.list_physical_devices("GPU")
    if not gpus:
        return []
    mine = gpus[local_rank * per_process : (local_rank + 1) * per_process]
    if len(mine) < per_process:
        raise ValueError(f"rank {local_rank} needs {per_process} cards; this host has {len(gpus)}")
    for gpu in mine:
        tf.config.experimental.set_memory_growth(gpu, True)
    return [gpu.name for gpu in mine]
