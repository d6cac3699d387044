# exercise: plan
# score:    5/6
# breaks:   5
# fails:    plan-rounding: rounded up, or to the nearest: three times that does not fit
# why:      rounds up
def plan_card(card, context, needs):
    fixed = [need for need in needs.values() if need is not None]
    open_shares = len(needs) - len(fixed)
    left = card - context * len(needs) - sum(fixed)
    if left < open_shares:
        raise ValueError(f"{open_shares - left} MiB are missing")
    share = -(-left // open_shares) if open_shares else 0
    limits = {process: share if need is None else need for process, need in needs.items()}
    return {process: [limit, limit / card] for process, limit in limits.items()}
