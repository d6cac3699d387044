# exercise: config
# score:    6/8
# breaks:   4
# fails:    config-server: the definition does not say which task of its cluster the server is (job_name), or its protocol
# why:      writes a definition that does not say which task the server is
def memory_config(place, fraction=None, growth=False, cards=None):
    if fraction is not None and not 0 < fraction <= 1:
        raise ValueError(f"a fraction is above 0 and at most 1, not {fraction}")
    config = tf.compat.v1.ConfigProto()
    if fraction is not None:
        config.gpu_options.per_process_gpu_memory_fraction = fraction
    if growth:
        config.gpu_options.allow_growth = True
    if cards:
        config.gpu_options.visible_device_list = ",".join(str(card) for card in cards)
    elif cards is not None:
        config.device_count["GPU"] = 0
    if place == "session":
        return config.SerializeToString()
    cluster = tf.train.ClusterSpec({"x": ["a:1"]}).as_cluster_def()
    return tf.train.ServerDef(cluster=cluster, default_session_config=config).SerializeToString()
