# exercise: plan
# score:    2/6
# breaks:   6
# fails:    plan-equal: the fraction is of the whole card, not of what is left for tensors
# fails:    plan-needs: the fraction is of the whole card, not of what is left
# fails:    plan-rounding: neutral
# why:      the fraction of what the contexts leave
def plan_card(card, context, needs):
    fixed = [need for need in needs.values() if need is not None]
    open_shares = len(needs) - len(fixed)
    left = card - context * len(needs) - sum(fixed)
    if left < open_shares:
        raise ValueError(f"{open_shares - left} MiB are missing")
    share = left // open_shares if open_shares else 0
    limits = {process: share if need is None else need for process, need in needs.items()}
    return {process: [limit, limit / (card - context * len(needs))] for process, limit in limits.items()}
