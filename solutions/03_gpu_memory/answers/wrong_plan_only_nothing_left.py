# exercise: plan
# score:    4/6
# fails:    plan-short
# says:     1 MiB is left for two processes
# why:      refuses only if nothing at all is left
def plan_card(card, context, needs):
    open_ones = [process for process, need in needs.items() if need is None]
    left = card - len(needs) * context
    for need in needs.values():
        left -= need or 0
    share = left // len(open_ones) if open_ones else 0
    if left < 0 or open_ones and left == 0:
        raise ValueError("too little memory")
    plan = {}
    for process, need in needs.items():
        limit = share if need is None else need
        plan[process] = [limit, limit / card]
    return plan
