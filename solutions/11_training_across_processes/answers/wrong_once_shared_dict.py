# exercise: once
# score:    0/5
# breaks:   3
# fails:    once-sum: neutral
# fails:    once-death: neutral
# fails:    once-between: reads, adds and writes
# fails:    once-missing: 0.0 is a value
# why:      writes an empty dict, then fills what it reads; that is a copy, as from another process
def closure(store, number, value):
    """Record the value of a closure; may run more than once, always with the same value."""
    if store.read("all") is None:
        store.write("all", {})
    store.read("all")[number] = value

def total(store, numbers):
    """The sum of the closures' values."""
    values = store.read("all") or {}
    return [sum(values[number] for number in numbers if number in values), [n for n in numbers if n not in values]]

def totals(values, what):
    """Given, for the checks: what `total` says for each moment in which closure 0 may be disturbed."""
    return at_each_moment(closure, total, values, what)

def total_of(values, numbers):
    """Given, for the checks: `total` of these numbers after closures 0, 1 … have run."""
    return total(run_closures(closure, values, "nothing", 0)[0], numbers)
