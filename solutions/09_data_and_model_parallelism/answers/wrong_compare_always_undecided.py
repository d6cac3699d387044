# exercise: compare
# score:    0/7
# fails:    compare-table, compare-words, compare-each-other, compare-random
# says:     where the runs of c are even, a differs from both others
# why:      never decides: the same answer whatever the runs
def compare(runs):
    return {"seconds": {}, "accuracy": {}, "faster": None, "better": None}
