# exercise: config
# score:    6/8
# breaks:   14
# fails:    config-cards: an empty list is no GPU; an empty visible_device_list means all of them
# why:      an empty list becomes an empty text, which means all cards
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
    if place == "session":
        return config.SerializeToString()
    server = tf.distribute.Server.create_local_server(config=config, start=False)
    return server.server_def.SerializeToString()
