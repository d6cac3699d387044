# exercise: plan
# score:    4/6
# breaks:   9
# fails:    plan-short: nothing is left, but a process with None must get at least 1 MiB
# why:      a share of nothing is a share
def plan_card(card, context, needs):
    fixed = [need for need in needs.values() if need is not None]
    open_shares = len(needs) - len(fixed)
    left = card - context * len(needs) - sum(fixed)
    if left < 0:
        raise ValueError(f"{open_shares - left} MiB are missing")
    share = left // open_shares if open_shares else 0
    limits = {process: share if need is None else need for process, need in needs.items()}
    return {process: [limit, limit / card] for process, limit in limits.items()}
