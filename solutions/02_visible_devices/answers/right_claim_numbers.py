# exercise: claim
# score:    8/8
# why:      numbers of cards first, then a list
def claim(local_rank, per_process=1):
    available = tf.config.list_physical_devices("GPU")
    if len(available) == 0:
        return []
    first = local_rank * per_process
    wanted = range(first, first + per_process)
    if wanted[-1] >= len(available):
        raise ValueError("not enough cards on this host")
    chosen = [available[number] for number in wanted]
    for card in chosen:
        tf.config.experimental.set_memory_growth(card, enable=True)
    tf.config.set_visible_devices(chosen, device_type="GPU")
    return [card.name for card in tf.config.get_visible_devices("GPU")]
