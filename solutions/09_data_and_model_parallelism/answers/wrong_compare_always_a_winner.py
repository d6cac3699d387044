# exercise: compare
# score:    4/7
# fails:    compare-words, compare-each-other
# says:     no difference that you can see
# why:      always names the best mean
def compare(runs):
    def table(what):
        groups = {}
        for run in runs:
            groups.setdefault(run["mode"], []).append(run[what])
        return {mode: [float(np.mean(v)), float(np.std(v, ddof=1) / np.sqrt(len(v)))] for mode, v in groups.items()}

    def winner(numbers, choose):
        best = choose(numbers, key=lambda mode: numbers[mode][0])
        (mean, error), others = numbers[best], [pair for mode, pair in numbers.items() if mode != best]
        return best

    seconds, accuracy = table("seconds"), table("accuracy")
    return {"seconds": seconds, "accuracy": accuracy, "faster": winner(seconds, min), "better": winner(accuracy, max)}
