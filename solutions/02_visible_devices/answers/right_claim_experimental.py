# exercise: claim
# score:    8/8
# why:      the older names under tf.config.experimental
def claim(local_rank, per_process=1):
    cards = tf.config.experimental.list_physical_devices("GPU")
    taken = []
    if cards:
        blocks = [cards[i : i + per_process] for i in range(0, len(cards), per_process)]
        blocks = [block for block in blocks if len(block) == per_process]
        if local_rank >= len(blocks):
            raise ValueError("no block of cards for this rank")
        taken = blocks[local_rank]
        tf.config.experimental.set_visible_devices(taken, "GPU")
        for card in taken:
            tf.config.experimental.set_memory_growth(card, True)
    return [card.name for card in taken]
