# exercise: plan
# score:    4/6
# breaks:   9
# fails:    plan-short: 1 MiB is left for two processes: each must get at least 1 MiB
# why:      something is left, so each process has its share
def plan_card(card, context, needs):
    fixed = [need for need in needs.values() if need is not None]
    open_shares = len(needs) - len(fixed)
    left = card - context * len(needs) - sum(fixed)
    if left < min(open_shares, 1):
        raise ValueError(f"{open_shares - left} MiB are missing")
    share = left // open_shares if open_shares else 0
    limits = {process: share if need is None else need for process, need in needs.items()}
    return {process: [limit, limit / card] for process, limit in limits.items()}
