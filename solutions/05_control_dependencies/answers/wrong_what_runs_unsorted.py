# exercise: what_runs
# score:    0/7
# fails:    what_runs-session, what_runs-function, what_runs-paths, what_runs-nothing
# says:     sorted
# why:      returns the ops in the order in which it found them, twice if it found them twice

def what_runs(ops, effects, wanted, mode):
    runs = [*wanted, *(effects if mode == "function" else [])]
    for op in runs:
        runs += [name.lstrip("^").split(":")[0] for name in ops[op]]
    return runs
