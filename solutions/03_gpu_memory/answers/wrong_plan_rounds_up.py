# exercise: plan
# score:    3/6
# fails:    plan-rounding, plan-short
# says:     rounded up
# why:      rounds the share up
def plan_card(card, context, needs):
    open_ones = [process for process, need in needs.items() if need is None]
    left = card - len(needs) * context
    for need in needs.values():
        left -= need or 0
    share = -(-left // len(open_ones)) if open_ones else 0
    if left < 0 or (open_ones and share < 1):
        raise ValueError("too little memory")
    plan = {}
    for process, need in needs.items():
        limit = share if need is None else need
        plan[process] = [limit, limit / card]
    return plan
