# exercise: compare
# score:    0/7
# fails:    compare-table, compare-words, compare-each-other, compare-random
# says:     runs of its own
# why:      one mean over all modes
def compare(runs):
    def table(what):
        groups = {}
        for run in runs:
            groups.setdefault(run["mode"], [r[what] for r in runs])
        return {mode: [float(np.mean(v)), float(np.std(v, ddof=1) / np.sqrt(len(v)))] for mode, v in groups.items()}

    def winner(numbers, choose):
        best = choose(numbers, key=lambda mode: numbers[mode][0])
        (mean, error), others = numbers[best], [pair for mode, pair in numbers.items() if mode != best]
        return best if all(abs(mean - m) > 2 * np.hypot(error, e) for m, e in others) else None

    seconds, accuracy = table("seconds"), table("accuracy")
    return {"seconds": seconds, "accuracy": accuracy, "faster": winner(seconds, min), "better": winner(accuracy, max)}
