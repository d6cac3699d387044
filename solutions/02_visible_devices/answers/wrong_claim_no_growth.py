# exercise: claim
# score:    5/8
# breaks:   4
# fails:    claim-growth: growth is not switched on
# fails:    claim-several: each card that it takes needs growth: TensorFlow refuses to start if visible cards differ
# why:      does not switch growth on
def claim(local_rank, per_process=1):
    gpus = tf.config.list_physical_devices("GPU")
    if not gpus:
        return []
    mine = gpus[local_rank * per_process : (local_rank + 1) * per_process]
    if len(mine) < per_process:
        raise ValueError(f"rank {local_rank} needs {per_process} cards; this host has {len(gpus)}")
    tf.config.set_visible_devices(mine, "GPU")
    for gpu in mine:
        pass
    return [gpu.name for gpu in mine]
