# exercise: plan
# score:    0/6
# breaks:   1
# fails:    plan-equal: one context was counted: each process has its own
# fails:    plan-needs: contexts: every process has one, also those that say what they need
# fails:    plan-rounding: neutral
# fails:    plan-short: with both contexts, 1 MiB is missing
# why:      one context for all processes
def plan_card(card, context, needs):
    fixed = [need for need in needs.values() if need is not None]
    open_shares = len(needs) - len(fixed)
    left = card - context - sum(fixed)
    if left < open_shares:
        raise ValueError(f"{open_shares - left} MiB are missing")
    share = left // open_shares if open_shares else 0
    limits = {process: share if need is None else need for process, need in needs.items()}
    return {process: [limit, limit / card] for process, limit in limits.items()}
