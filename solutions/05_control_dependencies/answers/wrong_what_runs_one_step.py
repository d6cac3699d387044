# exercise: what_runs
# score:    0/7
# fails:    what_runs-session, what_runs-function, what_runs-paths, what_runs-nothing
# says:     walk back all the way
# why:      takes the direct inputs only

def what_runs(ops, effects, wanted, mode):
    runs = set(wanted) | set(effects if mode == "function" else [])
    inputs = {name.lstrip("^").split(":")[0] for op in runs for name in ops[op]}
    return sorted(runs | inputs)
