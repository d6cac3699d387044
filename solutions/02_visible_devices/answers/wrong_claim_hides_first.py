# exercise: claim
# score:    6/8
# breaks:   7
# fails:    claim-few: the cards were hidden before the error was raised
# why:      hides the cards before it looks whether there are enough
def claim(local_rank, per_process=1):
    gpus = tf.config.list_physical_devices("GPU")
    if not gpus:
        return []
    mine = gpus[local_rank * per_process : (local_rank + 1) * per_process]
    tf.config.set_visible_devices(mine, "GPU")
    if len(mine) < per_process:
        raise ValueError(f"rank {local_rank} needs {per_process} cards; this host has {len(gpus)}")
    for gpu in mine:
        tf.config.experimental.set_memory_growth(gpu, True)
    return [gpu.name for gpu in mine]
