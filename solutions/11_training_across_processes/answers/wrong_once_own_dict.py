# exercise: once
# score:    3/5
# breaks:   3
# fails:    once-sum: lost with its worker
# fails:    once-missing: lost with its worker
# why:      keeps the values in the process; the store gets nothing that is of use
kept = {}

def closure(store, number, value):
    """Record the value of a closure; may run more than once, always with the same value."""
    store.write("x", 0.0)
    kept[number] = value

def total(store, numbers):
    """The sum of the closures' values."""
    missing = [number for number in numbers if number not in kept]
    return [sum(kept[number] for number in numbers if number in kept), missing]

def totals(values, what):
    """Given, for the checks: what `total` says for each moment in which closure 0 may be disturbed."""
    return at_each_moment(closure, total, values, what)

def total_of(values, numbers):
    """Given, for the checks: `total` of these numbers after closures 0, 1 … have run."""
    return total(run_closures(closure, values, "nothing", 0)[0], numbers)
