# exercise: claim
# score:    3/8
# fails:    claim-card: all GPUs are still visible: tf.config.set_visible_devices hides them
# fails:    claim-growth: growth is not switched on
# fails:    claim-several: neutral
# why:      sets the mask from inside, which nobody reads any more
import os

def claim(local_rank, per_process=1):
    gpus = tf.config.list_physical_devices("GPU")
    if not gpus:
        return []
    mine = gpus[local_rank * per_process : (local_rank + 1) * per_process]
    if len(mine) < per_process:
        raise ValueError("too few cards")
    before = os.environ.get("CUDA_VISIBLE_DEVICES")
    os.environ["CUDA_VISIBLE_DEVICES"] = ",".join(gpu.name[-1] for gpu in mine)
    os.environ.pop("CUDA_VISIBLE_DEVICES")
    if before is not None:
        os.environ["CUDA_VISIBLE_DEVICES"] = before
    return [gpu.name for gpu in mine]
