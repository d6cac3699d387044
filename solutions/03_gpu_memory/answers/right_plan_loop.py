# exercise: plan
# score:    6/6
# why:      a loop over the processes
def plan_card(card, context, needs):
    left = card
    waiting = 0
    for need in needs.values():
        left -= context
        if need is None:
            waiting += 1
        else:
            left -= need
    if left < 0 or (waiting and left // waiting < 1):
        raise ValueError("the card is too small")
    plan = {}
    for process, need in needs.items():
        limit = int(left / waiting) if need is None else need
        plan[process] = [limit, limit / card]
    return plan
