# exercise: once
# score:    0/5
# breaks:   3
# fails:    once-sum: no attribute 'seen'
# fails:    once-death: no attribute 'seen'
# fails:    once-between: no attribute 'seen'
# fails:    once-missing: no attribute 'seen'
# why:      hangs the values on the store itself, and gives it another way to restart; none of it is written
def closure(store, number, value):
    """Record the value of a closure; may run more than once, always with the same value."""
    store.read("")
    if not hasattr(store, "seen"):
        store.seen = []
        store.restarted = lambda: store
    store.seen.append([number, value])

def total(store, numbers):
    """The sum of the closures' values."""
    values = dict(store.seen)
    return [sum(values[number] for number in numbers if number in values), [n for n in numbers if n not in values]]

def totals(values, what):
    """Given, for the checks: what `total` says for each moment in which closure 0 may be disturbed."""
    return at_each_moment(closure, total, values, what)

def total_of(values, numbers):
    """Given, for the checks: `total` of these numbers after closures 0, 1 … have run."""
    return total(run_closures(closure, values, "nothing", 0)[0], numbers)
