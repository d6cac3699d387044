# exercise: plan
# score:    6/6
# why:      its whole numbers are NumPy's
def plan_card(card, context, needs):
    wanted = np.array([0 if need is None else need for need in needs.values()])
    open_ones = np.array([need is None for need in needs.values()])
    free = card - context * len(needs) - wanted.sum()
    if free < open_ones.sum():
        raise ValueError("the card is too small")
    limits = np.where(open_ones, free // max(open_ones.sum(), 1), wanted)
    return {process: [limit, limit / card] for process, limit in zip(needs, limits)}
