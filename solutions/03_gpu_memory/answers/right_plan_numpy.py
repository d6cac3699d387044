# exercise: plan
# score:    6/6
# why:      NumPy's numbers
import numpy as np

def plan_card(card, context, needs):
    needed = np.array([np.nan if need is None else need for need in needs.values()], float)
    open_ = np.isnan(needed)
    left = card - context * len(needed) - np.nansum(needed)
    if left < open_.sum():
        raise ValueError("not enough")
    if open_.any():
        needed[open_] = np.floor(left / open_.sum())
    return {process: [int(limit), float(limit / card)] for process, limit in zip(needs, needed)}
