# exercise: once
# score:    0/5
# fails:    once-sum: no attribute 'values'
# fails:    once-death: no attribute 'values'
# fails:    once-between: no attribute 'values'
# fails:    once-missing: no attribute 'values'
# why:      keeps the sum in the store's own dict, past its two operations, where no moment is tried
def closure(store, number, value):
    if number not in store.values:
        store.values[number] = value
        store.values["sum"] = store.values.get("sum", 0.0) + value
        store.write("done", True)


def total(store, numbers):
    kept = store.values
    return [sum(kept[n] for n in numbers if n in kept), [n for n in numbers if n not in kept]]


def totals(values, what):
    """Given, for the checks: what `total` says for each moment in which closure 0 may be disturbed."""
    return at_each_moment(closure, total, values, what)


def total_of(values, numbers):
    """Given, for the checks: `total` of these numbers after closures 0, 1 … have run."""
    return total(run_closures(closure, values, "nothing", 0)[0], numbers)
