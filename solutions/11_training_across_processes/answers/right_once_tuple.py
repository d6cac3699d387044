# exercise: once
# score:    5/5
# why:      returns a tuple, not a list
def closure(store, number, value):
    """Record the value of a closure; may run more than once, always with the same value."""
    store.write(f"value {number}", value)


def total(store, numbers):
    """The sum of the closures' values."""
    found = [store.read(f"value {number}") for number in numbers]
    missing = [number for number, value in zip(numbers, found) if value is None]
    return sum(value for value in found if value is not None), missing


def totals(values, what):
    """Given, for the checks: what `total` says for each moment in which closure 0 may be disturbed."""
    return at_each_moment(closure, total, values, what)


def total_of(values, numbers):
    """Given, for the checks: `total` of these numbers after closures 0, 1 … have run."""
    return total(run_closures(closure, values, "nothing", 0)[0], numbers)
