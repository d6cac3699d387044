# exercise: what_runs
# score:    2/7
# fails:    what_runs-function, what_runs-paths, what_runs-nothing
# says:     every op with a side effect runs
# why:      a function prunes like a session

def what_runs(ops, effects, wanted, mode):
    runs, todo = set(), list(wanted)
    while todo:
        op = todo.pop()
        if op not in runs:
            runs.add(op)
            todo += [name.lstrip("^").split(":")[0] for name in ops[op]]
    return sorted(runs)
