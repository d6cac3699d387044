# exercise: what_runs
# score:    2/7
# fails:    what_runs-function, what_runs-paths, what_runs-nothing
# says:     needs its inputs too
# why:      adds the effects, but not what they need

def what_runs(ops, effects, wanted, mode):
    runs, todo = set(), list(wanted)
    while todo:
        op = todo.pop()
        if op not in runs:
            runs.add(op)
            todo += [name.lstrip("^").split(":")[0] for name in ops[op]]
    return sorted(runs | set(effects if mode == "function" else []))
