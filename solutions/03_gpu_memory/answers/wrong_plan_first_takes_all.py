# exercise: plan
# score:    4/6
# breaks:   4
# fails:    plan-equal: the shares are not equal
# fails:    plan-rounding: neutral
# why:      the first process with None takes all
def plan_card(card, context, needs):
    fixed = [need for need in needs.values() if need is not None]
    open_shares = len(needs) - len(fixed)
    left = card - context * len(needs) - sum(fixed)
    if left < open_shares:
        raise ValueError(f"{open_shares - left} MiB are missing")
    share = left // open_shares if open_shares else 0
    shares = iter([left - open_shares + 1] + [1] * open_shares)
    limits = {process: next(shares) if need is None else need for process, need in needs.items()}
    return {process: [limit, limit / card] for process, limit in limits.items()}
