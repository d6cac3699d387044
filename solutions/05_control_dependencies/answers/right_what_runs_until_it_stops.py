# exercise: what_runs
# score:    7/7
# why:      adds inputs until nothing is new

def what_runs(ops, effects, wanted, mode):
    runs = set(wanted) | (set(effects) if mode != "session" else set())
    while True:
        more = runs | {entry.removeprefix("^").partition(":")[0] for op in runs for entry in ops[op]}
        if more == runs:
            return sorted(runs)
        runs = more
