# exercise: claim
# score:    5/8
# breaks:   5
# fails:    claim-growth: growth is switched on for every card of the host, not only the one taken
# fails:    claim-several: growth is switched on for a card that it does not take
# why:      growth on all cards of the host
def claim(local_rank, per_process=1):
    gpus = tf.config.list_physical_devices("GPU")
    if not gpus:
        return []
    mine = gpus[local_rank * per_process : (local_rank + 1) * per_process]
    if len(mine) < per_process:
        raise ValueError(f"rank {local_rank} needs {per_process} cards; this host has {len(gpus)}")
    tf.config.set_visible_devices(mine, "GPU")
    for gpu in gpus:
        tf.config.experimental.set_memory_growth(gpu, True)
    return [gpu.name for gpu in mine]
