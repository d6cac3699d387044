# exercise: config
# score:    6/8
# breaks:   14
# fails:    config-cards: an empty list is no GPU for a server, too
# why:      says no GPU in a session only
def memory_config(place, fraction=None, growth=False, cards=None):
    """Write settings of GPU memory as a message.

    Args:
        place: "session" or "server".
        fraction: None, or float above 0 and at most 1: the share of each card.
        growth: bool, take memory only when it is needed.
        cards: None for all cards, or list of int, the visible ones; an empty list is no card.
    Returns:
        bytes: a serialized ConfigProto for a session, a serialized ServerDef for a server.
    Raises:
        ValueError: the fraction is out of range.
    """
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
        if cards == []:
            config.device_count["GPU"] = 0
        return config.SerializeToString()
    server = tf.distribute.Server.create_local_server(config=config, start=False)
    return server.server_def.SerializeToString()

