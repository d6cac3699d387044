# exercise: config
# score:    6/8
# fails:    config-server
# says:     which task of its cluster
# why:      writes a definition that has a cluster, but does not say which task the server is
def memory_config(place, fraction=None, growth=False, cards=None):
    if fraction is not None and not 0 < fraction <= 1:
        raise ValueError("out of range")
    options = tf.compat.v1.GPUOptions(allow_growth=growth)
    if fraction is not None:
        options.per_process_gpu_memory_fraction = fraction
    if cards:
        options.visible_device_list = ",".join(map(str, cards))
    config = tf.compat.v1.ConfigProto(gpu_options=options)
    if cards == []:
        config.device_count["GPU"] = 0
    if place == "server":
        cluster = tf.train.ClusterSpec({"x": ["a:1"]}).as_cluster_def()
        return tf.train.ServerDef(cluster=cluster, default_session_config=config).SerializeToString()
    return config.SerializeToString()
