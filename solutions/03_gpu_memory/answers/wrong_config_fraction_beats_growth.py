# exercise: config
# score:    4/8
# breaks:   10
# fails:    config-session: a fraction does not replace growth: both were asked for
# fails:    config-server: the server's default_session_config lacks one of the settings
# why:      a fraction switches growth off
def memory_config(place, fraction=None, growth=False, cards=None):
    if fraction is not None and not 0 < fraction <= 1:
        raise ValueError(f"a fraction is above 0 and at most 1, not {fraction}")
    config = tf.compat.v1.ConfigProto()
    if fraction is not None:
        config.gpu_options.per_process_gpu_memory_fraction = fraction
    if growth and fraction is None:
        config.gpu_options.allow_growth = True
    if cards:
        config.gpu_options.visible_device_list = ",".join(str(card) for card in cards)
    elif cards is not None:
        config.device_count["GPU"] = 0
    if place == "session":
        return config.SerializeToString()
    server = tf.distribute.Server.create_local_server(config=config, start=False)
    return server.server_def.SerializeToString()
