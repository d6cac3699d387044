# exercise: plan
# score:    4/6
# breaks:   8
# fails:    plan-short: with both contexts, 1 MiB is missing
# why:      adds up the needs alone when it looks whether they fit
def plan_card(card, context, needs):
    fixed = [need for need in needs.values() if need is not None]
    open_shares = len(needs) - len(fixed)
    left = card - context * len(needs) - sum(fixed)
    if sum(fixed) > card or (open_shares and left < open_shares):
        raise ValueError(f"{open_shares - left} MiB are missing")
    share = left // open_shares if open_shares else 0
    limits = {process: share if need is None else need for process, need in needs.items()}
    return {process: [limit, limit / card] for process, limit in limits.items()}
