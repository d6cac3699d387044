# exercise: what_runs
# score:    2/7
# fails:    what_runs-session, what_runs-paths, what_runs-nothing
# says:     prunes ops with side effects too
# why:      a session runs side effects like a function

def what_runs(ops, effects, wanted, mode):
    runs, todo = set(), [*wanted, *effects]
    while todo:
        op = todo.pop()
        if op not in runs:
            runs.add(op)
            todo += [name.lstrip("^").split(":")[0] for name in ops[op]]
    return sorted(runs)
