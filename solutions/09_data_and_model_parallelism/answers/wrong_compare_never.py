# exercise: compare
# score:    2/7
# fails:    compare-words, compare-each-other, compare-random
# says:     far more than the errors
# why:      never dares to name a winner
def compare(runs):
    def table(what):
        groups = {}
        for run in runs:
            groups.setdefault(run["mode"], []).append(run[what])
        return {mode: [float(np.mean(v)), float(np.std(v, ddof=1) / np.sqrt(len(v)))] for mode, v in groups.items()}

    def winner(numbers, choose):
        best = choose(numbers, key=lambda mode: numbers[mode][0])
        (mean, error), others = numbers[best], [pair for mode, pair in numbers.items() if mode != best]
        return None

    seconds, accuracy = table("seconds"), table("accuracy")
    return {"seconds": seconds, "accuracy": accuracy, "faster": winner(seconds, min), "better": winner(accuracy, max)}
