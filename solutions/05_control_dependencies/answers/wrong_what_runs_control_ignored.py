# exercise: what_runs
# score:    3/7
# fails:    what_runs-session, what_runs-paths
# says:     a control dependency is an input too
# why:      does not follow inputs with ^

def what_runs(ops, effects, wanted, mode):
    runs, todo = set(), [*wanted, *(effects if mode == "function" else [])]
    while todo:
        op = todo.pop()
        if op not in runs:
            runs.add(op)
            todo += [name.split(":")[0] for name in ops[op] if name[0] != "^"]
    return sorted(runs)
