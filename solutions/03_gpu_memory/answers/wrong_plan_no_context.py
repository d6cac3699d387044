# exercise: plan
# score:    0/6
# fails:    plan-equal, plan-needs, plan-rounding, plan-short
# says:     the contexts were forgotten
# why:      forgets what CUDA takes
def plan_card(card, context, needs):
    open_ones = [process for process, need in needs.items() if need is None]
    left = card
    for need in needs.values():
        left -= need or 0
    share = left // len(open_ones) if open_ones else 0
    if left < 0 or (open_ones and share < 1):
        raise ValueError("too little memory")
    plan = {}
    for process, need in needs.items():
        limit = share if need is None else need
        plan[process] = [limit, limit / card]
    return plan
