# exercise: claim
# score:    6/8
# breaks:   7
# fails:    claim-few: growth was switched on before the error was raised
# why:      switches growth on before it looks whether there are enough
def claim(local_rank, per_process=1):
    gpus = tf.config.list_physical_devices("GPU")
    if not gpus:
        return []
    mine = []
    for number in range(local_rank * per_process, (local_rank + 1) * per_process):
        if number >= len(gpus):
            raise ValueError("too few cards")
        tf.config.experimental.set_memory_growth(gpus[number], True)
        mine.append(gpus[number])
    tf.config.set_visible_devices(mine, "GPU")
    return [gpu.name for gpu in mine]
