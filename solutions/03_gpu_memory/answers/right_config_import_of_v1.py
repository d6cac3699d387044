# exercise: config
# score:    8/8
# why:      takes the first API's names for tf, as programs of its time do
import tensorflow.compat.v1 as tf


def memory_config(place, fraction=None, growth=False, cards=None):
    config = tf.ConfigProto()
    if fraction is not None:
        if fraction <= 0 or fraction > 1:
            raise ValueError(fraction)
        config.gpu_options.per_process_gpu_memory_fraction = float(fraction)
    config.gpu_options.allow_growth = bool(growth)
    if cards is not None:
        config.gpu_options.visible_device_list = ",".join([f"{card}" for card in cards])
        if not len(cards):
            config.device_count.update({"GPU": 0})
    if place == "session":
        return config.SerializeToString()
    definition = tf.train.ServerDef(job_name="local", protocol="grpc", default_session_config=config)
    definition.cluster.job.add(name="local").tasks[0] = "localhost:0"
    return definition.SerializeToString()
