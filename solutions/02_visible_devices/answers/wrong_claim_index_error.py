# exercise: claim
# score:    6/8
# breaks:   6
# fails:    claim-few: it raised IndexError; a ValueError is asked for
# why:      lets Python notice that the cards run out
def claim(local_rank, per_process=1):
    gpus = tf.config.list_physical_devices("GPU")
    if not gpus:
        return []
    mine = [gpus[local_rank * per_process + i] for i in range(per_process)]
    if len(mine) < per_process:
        raise ValueError(f"rank {local_rank} needs {per_process} cards; this host has {len(gpus)}")
    tf.config.set_visible_devices(mine, "GPU")
    for gpu in mine:
        tf.config.experimental.set_memory_growth(gpu, True)
    return [gpu.name for gpu in mine]
