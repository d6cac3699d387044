# exercise: compare
# score:    7/7
# why:      with arrays of all modes at once
def compare(runs):
    names = list(dict.fromkeys(run["mode"] for run in runs))
    def numbers(key):
        groups = [np.array([run[key] for run in runs if run["mode"] == name], float) for name in names]
        return np.array([[v.mean(), (((v - v.mean()) ** 2).sum() / (v.size - 1) / v.size) ** 0.5] for v in groups])
    def first(values):
        order = np.argsort(values[:, 0])
        top, rest = values[order[0]], values[order[1:]]
        return names[order[0]] if np.all(rest[:, 0] - top[0] > 2 * np.sqrt(rest[:, 1] ** 2 + top[1] ** 2)) else None
    s, a = numbers("seconds"), numbers("accuracy")
    return {"seconds": dict(zip(names, s.tolist())), "accuracy": dict(zip(names, a.tolist())),
            "faster": first(s), "better": first(a * [-1, 1])}
