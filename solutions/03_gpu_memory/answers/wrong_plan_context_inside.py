# exercise: plan
# score:    2/6
# breaks:   2
# fails:    plan-needs: the context lies outside of the limit: a process that needs 6000 MiB gets a limit of 6000
# fails:    plan-short: neutral
# why:      the context is taken out of the limit
def plan_card(card, context, needs):
    fixed = [need for need in needs.values() if need is not None]
    open_shares = len(needs) - len(fixed)
    left = card - context * len(needs) - sum(fixed)
    if left < open_shares:
        raise ValueError(f"{open_shares - left} MiB are missing")
    share = left // open_shares if open_shares else 0
    limits = {process: share if need is None else need - context for process, need in needs.items()}
    return {process: [limit, limit / card] for process, limit in limits.items()}
