# exercise: what_runs
# score:    5/7
# fails:    what_runs-paths
# says:     an output's number behind
# why:      takes p:1 for the name of an op

def what_runs(ops, effects, wanted, mode):
    runs, todo = set(), [*wanted, *(effects if mode == "function" else [])]
    while todo:
        op = todo.pop()
        if op not in runs:
            runs.add(op)
            todo += [name.lstrip("^") for name in ops[op]]
    return sorted(runs)
