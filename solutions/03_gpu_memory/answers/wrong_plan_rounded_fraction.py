# exercise: plan
# score:    3/6
# breaks:   7
# fails:    plan-needs: neutral
# fails:    plan-rounding: the fraction is rounded
# why:      rounds the fraction to two digits
def plan_card(card, context, needs):
    fixed = [need for need in needs.values() if need is not None]
    open_shares = len(needs) - len(fixed)
    left = card - context * len(needs) - sum(fixed)
    if left < open_shares:
        raise ValueError(f"{open_shares - left} MiB are missing")
    share = left // open_shares if open_shares else 0
    limits = {process: share if need is None else need for process, need in needs.items()}
    return {process: [limit, round(limit / card, 2)] for process, limit in limits.items()}
