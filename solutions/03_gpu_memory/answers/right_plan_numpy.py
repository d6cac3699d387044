# exercise: plan
# score:    6/6
# why:      counts with arrays, returns plain numbers
def plan_card(card, context, needs):
    wanted = np.array([-1 if need is None else need for need in needs.values()])
    free = int(card - context * len(wanted) - wanted[wanted >= 0].sum())
    shares = int((wanted < 0).sum())
    if free < shares:
        raise ValueError(f"only {free} MiB for {shares} shares")
    limits = [free // shares if want < 0 else int(want) for want in wanted]
    return {process: [limit, limit / card] for process, limit in zip(needs, limits)}
