# exercise: config
# score:    8/8
# why:      collects keyword arguments of the messages
def memory_config(place, fraction=None, growth=False, cards=None):
    if fraction is not None and (fraction > 1 or fraction <= 0):
        raise ValueError(f"not a share of a card: {fraction}")
    options = {"allow_growth": growth}
    count = {}
    if fraction is not None:
        options["per_process_gpu_memory_fraction"] = fraction
    if cards is not None and len(cards) == 0:
        count["GPU"] = 0
    elif cards is not None:
        options["visible_device_list"] = ",".join(f"{card:d}" for card in cards)
    v1 = tf.compat.v1
    config = v1.ConfigProto(gpu_options=v1.GPUOptions(**options), device_count=count)
    makers = {
        "session": lambda: config,
        "server": lambda: tf.distribute.Server({"w": ["localhost:0"]}, "w", 0, config=config, start=False).server_def,
    }
    return makers[place]().SerializeToString()
