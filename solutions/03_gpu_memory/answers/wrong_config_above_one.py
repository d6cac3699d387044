# exercise: config
# score:    6/8
# fails:    config-range
# says:     a fraction above 1 was accepted
# why:      draws the line at 1.2
def memory_config(place, fraction=None, growth=False, cards=None):
    if fraction is not None and not 0 < fraction <= 1.2:
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
        return tf.distribute.Server.create_local_server(config=config, start=False).server_def.SerializeToString()
    return config.SerializeToString()
