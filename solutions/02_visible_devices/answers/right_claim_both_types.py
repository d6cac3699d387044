# exercise: claim
# score:    8/8
# why:      names the CPU in the list, and no type
import tensorflow as tf

def claim(local_rank, per_process=1):
    gpus = tf.config.list_physical_devices("GPU")
    cpus = tf.config.list_physical_devices("CPU")
    if gpus:
        if len(gpus) < per_process * (local_rank + 1):
            raise ValueError(local_rank)
        own = [gpu for i, gpu in enumerate(gpus) if i // per_process == local_rank]
        tf.config.set_visible_devices(cpus + own)
        [tf.config.experimental.set_memory_growth(gpu, True) for gpu in own]
        return [gpu.name for gpu in own]
    return []
