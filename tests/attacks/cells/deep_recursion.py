# score:    7/10
# says:     The kernel died
# survives: grader, others
# why:      recurses in C until the stack ends, past Python's own limit

# %% double
import sys, threading
sys.setrecursionlimit(10**9)
def deep():
    return [*map(lambda _: deep(), [0])]
deep()
