# exercise: plan
# score:    4/6
# fails:    plan-equal, plan-rounding
# says:     the shares are not equal
# why:      the first process without a need gets all that is left
def plan_card(card, context, needs):
    open_ones = [process for process, need in needs.items() if need is None]
    left = card - len(needs) * context
    for need in needs.values():
        left -= need or 0
    share = left // len(open_ones) if open_ones else 0
    if left < 0 or (open_ones and share < 1):
        raise ValueError("too little memory")
    plan = {}
    for process, need in needs.items():
        limit = share if need is None else need
        if need is None:
            limit, left = (left, 0) if process == open_ones[0] else (0, 0)
        plan[process] = [limit, limit / card]
    return plan
