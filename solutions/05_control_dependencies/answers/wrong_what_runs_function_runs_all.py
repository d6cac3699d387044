# exercise: what_runs
# score:    2/7
# fails:    what_runs-function, what_runs-paths, what_runs-nothing
# says:     pruned here as well
# why:      a function runs every line that was traced

def what_runs(ops, effects, wanted, mode):
    if mode == "function":
        return sorted(ops)
    runs, todo = set(), list(wanted)
    while todo:
        op = todo.pop()
        if op not in runs:
            runs.add(op)
            todo += [name.lstrip("^").split(":")[0] for name in ops[op]]
    return sorted(runs)
