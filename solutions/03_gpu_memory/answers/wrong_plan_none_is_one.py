# exercise: plan
# score:    2/6
# breaks:   3
# fails:    plan-equal: neutral
# fails:    plan-needs: neutral
# fails:    plan-rounding: neutral
# why:      a process with None gets 1 MiB, the least
def plan_card(card, context, needs):
    fixed = [need for need in needs.values() if need is not None]
    open_shares = len(needs) - len(fixed)
    left = card - context * len(needs) - sum(fixed)
    if left < open_shares:
        raise ValueError(f"{open_shares - left} MiB are missing")
    share = 1
    limits = {process: share if need is None else need for process, need in needs.items()}
    return {process: [limit, limit / card] for process, limit in limits.items()}
