# exercise: batches
# score:    0/6
# breaks:   5
# fails:    batches-rows: no attribute
# fails:    batches-share: neutral
# fails:    batches-empty: neutral
# fails:    batches-uneven: no attribute
# why:      no batches, and the number of losses
def local_batches(context, rows, global_batch):
    """The batches of one worker."""
    return None

def share(losses, count):
    """One worker's part of the mean loss."""
    return float(len(losses))
