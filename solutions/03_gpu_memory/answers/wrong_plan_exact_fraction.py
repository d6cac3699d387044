# exercise: plan
# score:    5/6
# breaks:   6
# fails:    plan-rounding: the fraction belongs to the rounded limit: limit / card
# why:      the fraction of the limit before it was rounded
def plan_card(card, context, needs):
    fixed = [need for need in needs.values() if need is not None]
    open_shares = len(needs) - len(fixed)
    left = card - context * len(needs) - sum(fixed)
    if left < open_shares:
        raise ValueError(f"{open_shares - left} MiB are missing")
    share = left // open_shares if open_shares else 0
    exact = left / open_shares if open_shares else 0
    limits = {process: share if need is None else need for process, need in needs.items()}
    return {process: [limit, (exact if needs[process] is None else limit) / card] for process, limit in limits.items()}
