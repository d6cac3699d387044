# exercise: once
# score:    1/5
# fails:    once-death: counts twice
# fails:    once-between: in between
# fails:    once-missing: is counted, too
# why:      reads, adds and writes one sum; marks itself as done afterwards
def closure(store, number, value):
    """Record the value of a closure; may run more than once, always with the same value.

    Args:
        store: has read(name) and write(name, value).
        number: int, 0 or more; each closure has its own.
        value: float.
    """
    if store.read(f"done {number}") is None:
        store.write("sum", (store.read("sum") or 0.0) + value)
        store.write(f"done {number}", True)

def total(store, numbers):
    """The sum of the closures' values.

    Args:
        store: the same.
        numbers: list of int.
    Returns:
        [sum, missing]: [float, list of int].
    """
    missing = [number for number in numbers if not store.read(f"done {number}")]
    return [store.read("sum") or 0.0, missing]

def totals(values, what):
    """Given, for the checks: what `total` says for each moment in which closure 0 may be disturbed."""
    return at_each_moment(closure, total, values, what)

def total_of(values, numbers):
    """Given, for the checks: `total` of these numbers after closures 0, 1 … have run."""
    return total(run_closures(closure, values, "nothing", 0)[0], numbers)
