# exercise: config
# score:    4/8
# breaks:   3
# fails:    config-server: this is not a server's definition: it has no cluster
# fails:    config-cards: in the server's definition the cards are not set
# why:      gives a ConfigProto for the server as well
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
    return config.SerializeToString()
