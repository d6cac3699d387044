# exercise: claim
# score:    2/8
# breaks:   1
# fails:    claim-card: every process takes the first card
# fails:    claim-growth: neutral
# fails:    claim-returns: neutral
# fails:    claim-several: neutral
# why:      every process takes the first cards
def claim(local_rank, per_process=1):
    gpus = tf.config.list_physical_devices("GPU")
    if not gpus:
        return []
    mine = gpus[:per_process] if (local_rank + 1) * per_process <= len(gpus) else []
    if len(mine) < per_process:
        raise ValueError(f"rank {local_rank} needs {per_process} cards; this host has {len(gpus)}")
    tf.config.set_visible_devices(mine, "GPU")
    for gpu in mine:
        tf.config.experimental.set_memory_growth(gpu, True)
    return [gpu.name for gpu in mine]
