# exercise: once
# score:    4/5
# breaks:   2
# fails:    once-missing: sorted
# why:      sorts the missing ones
def closure(store, number, value):
    """Record the value of a closure; may run more than once, always with the same value.

    Args:
        store: has read(name) and write(name, value).
        number: int, 0 or more; each closure has its own.
        value: float.
    """
    store.write(f"slot {number}", value)

def total(store, numbers):
    """The sum of the closures' values.

    Args:
        store: the same.
        numbers: list of int.
    Returns:
        [sum, missing]: [float, list of int].
    """
    values = {number: store.read(f"slot {number}") for number in numbers}
    missing = [number for number, value in values.items() if value is None]
    return [sum(value for value in values.values() if value is not None), sorted(missing)]

def totals(values, what):
    """Given, for the checks: what `total` says for each moment in which closure 0 may be disturbed."""
    return at_each_moment(closure, total, values, what)

def total_of(values, numbers):
    """Given, for the checks: `total` of these numbers after closures 0, 1 … have run."""
    return total(run_closures(closure, values, "nothing", 0)[0], numbers)
