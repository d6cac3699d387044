# exercise: once
# score:    5/5
# why:      value first, a flag afterwards
def closure(store, number, value):
    """Record the value of a closure; a flag afterwards says that it is there."""
    if not store.read(f"{number}/done"):
        store.write(f"{number}/value", value)
        store.write(f"{number}/done", True)

def total(store, numbers):
    """The sum of the closures' values."""
    done = [number for number in numbers if store.read(f"{number}/done")]
    return [sum(store.read(f"{number}/value") for number in done), [n for n in numbers if n not in done]]

def totals(values, what):
    """Given, for the checks: what `total` says for each moment in which closure 0 may be disturbed."""
    return at_each_moment(closure, total, values, what)

def total_of(values, numbers):
    """Given, for the checks: `total` of these numbers after closures 0, 1 … have run."""
    return total(run_closures(closure, values, "nothing", 0)[0], numbers)
