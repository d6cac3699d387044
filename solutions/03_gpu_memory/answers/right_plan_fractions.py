# exercise: plan
# score:    6/6
# why:      tuples, divmod, and a helper
def free_after(card, context, needs):
    return card - sum(context + (need or 0) for need in needs.values())

def plan_card(card, context, needs):
    sharing = [process for process in needs if needs[process] is None]
    free = free_after(card, context, needs)
    share, _ = divmod(free, len(sharing)) if sharing else (1 if free >= 0 else 0, 0)
    if share < 1:
        raise ValueError(f"{free} MiB for {sharing}")
    limits = {**needs, **dict.fromkeys(sharing, share)}
    return {process: (limits[process], limits[process] / card) for process in needs}
