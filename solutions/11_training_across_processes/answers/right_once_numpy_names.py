# exercise: once
# score:    5/5
# why:      names of NumPy's numbers and of bytes
def closure(store, number, value):
    """Record the value of a closure."""
    store.write(("value", np.int64(number)), np.float64(value))
    store.write(b"last", [number, value])

def total(store, numbers):
    """The sum of the closures' values."""
    found = {number: store.read(("value", number)) for number in numbers}
    there = [value for value in found.values() if value is not None]
    return [float(sum(there)), [number for number in numbers if found[number] is None]]

def totals(values, what):
    """Given, for the checks: what `total` says for each moment in which closure 0 may be disturbed."""
    return at_each_moment(closure, total, values, what)

def total_of(values, numbers):
    """Given, for the checks: `total` of these numbers after closures 0, 1 … have run."""
    return total(run_closures(closure, values, "nothing", 0)[0], numbers)
