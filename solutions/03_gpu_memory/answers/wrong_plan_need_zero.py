# exercise: plan
# score:    4/6
# fails:    plan-short: neutral
# why:      takes a need of 0 for None
def plan_card(card, context, needs):
    """Share a card's memory among processes.

    Args:
        card: int, MiB of the whole card.
        context: int, MiB that CUDA takes for each process, outside of its limit.
        needs: dict, process name -> int, MiB of its tensors, or None: an equal share of the rest.
    Returns:
        dict, process name -> [limit in whole MiB, fraction of the whole card].
    Raises:
        ValueError: there is not enough memory.
    """
    fixed = [need for need in needs.values() if need]
    open_shares = len(needs) - len(fixed)
    left = card - context * len(needs) - sum(fixed)
    if left < open_shares:
        raise ValueError(f"{open_shares - left} MiB are missing")
    share = left // open_shares if open_shares else 0
    limits = {process: need or share for process, need in needs.items()}
    return {process: [limit, limit / card] for process, limit in limits.items()}

