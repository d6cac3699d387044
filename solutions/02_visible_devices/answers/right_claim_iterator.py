# exercise: claim
# score:    8/8
# why:      an iterator deals the cards out
from itertools import islice

def claim(local_rank, per_process=1):
    gpus = tf.config.list_physical_devices("GPU")
    dealt = iter(gpus)
    for _ in range(local_rank + 1):
        mine = list(islice(dealt, per_process))
    if gpus and len(mine) != per_process:
        raise ValueError(f"{len(gpus)} cards are too few for rank {local_rank}")
    if gpus:
        tf.config.set_visible_devices(mine, "GPU")
    names = []
    for gpu in mine:
        tf.config.experimental.set_memory_growth(gpu, True)
        names.append(gpu.name)
    return names
