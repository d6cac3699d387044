# exercise: plan
# score:    4/6
# fails:    plan-short: there may be no process with None: do not divide by their number
# why:      divides by the number of processes with None, also by zero
def plan_card(card, context, needs):
    fixed = [need for need in needs.values() if need is not None]
    open_shares = len(needs) - len(fixed)
    left = card - context * len(needs) - sum(fixed)
    if left < open_shares:
        raise ValueError(f"{open_shares - left} MiB are missing")
    share = left // open_shares
    limits = {process: share if need is None else need for process, need in needs.items()}
    return {process: [limit, limit / card] for process, limit in limits.items()}
