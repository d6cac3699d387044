# exercise: what_runs
# score:    7/7
# why:      recursion with a set

def what_runs(ops, effects, wanted, mode):
    needed = set()

    def visit(op):
        if op in needed:
            return
        needed.add(op)
        for entry in ops[op]:
            visit(entry.replace("^", "").split(":")[0])

    for op in wanted:
        visit(op)
    if mode == "function":
        for op in effects:
            visit(op)
    return sorted(needed)
