# exercise: config
# score:    6/8
# fails:    config-cards
# says:     device_count is for the empty list only
# why:      sets device_count for every list of cards
def memory_config(place, fraction=None, growth=False, cards=None):
    if fraction is not None and not 0 < fraction <= 1:
        raise ValueError("out of range")
    options = tf.compat.v1.GPUOptions(allow_growth=growth)
    if fraction is not None:
        options.per_process_gpu_memory_fraction = fraction
    if cards:
        options.visible_device_list = ",".join(map(str, cards))
    config = tf.compat.v1.ConfigProto(gpu_options=options)
    if cards is not None:
        config.device_count["GPU"] = len(cards)
    if place == "server":
        return tf.distribute.Server.create_local_server(config=config, start=False).server_def.SerializeToString()
    return config.SerializeToString()
