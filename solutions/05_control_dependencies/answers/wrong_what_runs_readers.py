# exercise: what_runs
# score:    0/7
# fails:    what_runs-session, what_runs-function, what_runs-paths, what_runs-nothing
# says:     walk backwards
# why:      walks forwards, to the readers, as well

def what_runs(ops, effects, wanted, mode):
    runs, todo = set(), [*wanted, *(effects if mode == "function" else [])]
    while todo:
        op = todo.pop()
        if op not in runs:
            runs.add(op)
            todo += [name.lstrip("^").split(":")[0] for name in ops[op]] + [name for name in ops if op in ops[name]]
    return sorted(runs)
