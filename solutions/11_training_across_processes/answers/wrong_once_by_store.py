# exercise: once
# score:    0/5
# breaks:   3
# fails:    once-sum: neutral
# fails:    once-death: neutral
# fails:    once-between: reads, adds and writes
# fails:    once-missing: 0.0 is a value
# why:      keeps the values in the process, for each store that it sees; the store gets nothing that is of use
kept = {}

def closure(store, number, value):
    """Record the value of a closure; may run more than once, always with the same value."""
    store.write("x", 0.0)
    kept.setdefault(id(store), {})[number] = value

def total(store, numbers):
    """The sum of the closures' values."""
    mine = kept.get(id(store), {})
    return [float(sum(mine.get(number, 0.0) for number in numbers)), [n for n in numbers if n not in mine]]

def totals(values, what):
    """Given, for the checks: what `total` says for each moment in which closure 0 may be disturbed."""
    return at_each_moment(closure, total, values, what)

def total_of(values, numbers):
    """Given, for the checks: `total` of these numbers after closures 0, 1 … have run."""
    return total(run_closures(closure, values, "nothing", 0)[0], numbers)
