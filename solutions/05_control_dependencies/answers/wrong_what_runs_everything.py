# exercise: what_runs
# score:    0/7
# fails:    what_runs-session, what_runs-function, what_runs-paths, what_runs-nothing
# says:     not everything runs
# why:      a program runs all its lines

def what_runs(ops, effects, wanted, mode):
    return sorted(ops)
