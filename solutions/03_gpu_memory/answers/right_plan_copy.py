# exercise: plan
# score:    6/6
# why:      fills a copy of the needs
def plan_card(card, context, needs):
    limits = dict(needs)
    unknown = [process for process, need in limits.items() if need is None]
    rest = card - len(limits) * context
    for need in limits.values():
        rest -= 0 if need is None else need
    if rest < len(unknown):
        raise ValueError("needs and contexts do not fit")
    for process in unknown:
        limits[process] = int(rest // len(unknown))
    return {process: [limit, limit / card] for process, limit in limits.items()}
