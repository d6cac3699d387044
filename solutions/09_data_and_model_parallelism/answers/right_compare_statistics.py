# exercise: compare
# score:    7/7
# why:      with the module statistics, and a loop over pairs
def compare(runs):
    import statistics
    modes, result = sorted({run["mode"] for run in runs}), {}
    for what, name, sign in (("seconds", "faster", -1), ("accuracy", "better", 1)):
        result[what], result[name] = {}, None
        for mode in modes:
            values = [run[what] for run in runs if run["mode"] == mode]
            result[what][mode] = [statistics.mean(values), statistics.stdev(values) / len(values) ** 0.5]
        for mode in modes:
            ahead = []
            for other in modes:
                (m1, e1), (m2, e2) = result[what][mode], result[what][other]
                ahead.append(other == mode or sign * (m1 - m2) > 2 * (e1 ** 2 + e2 ** 2) ** 0.5)
            if all(ahead):
                result[name] = mode
    return result
