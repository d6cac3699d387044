# exercise: once
# score:    5/5
# why:      a pair in each place, summed in a loop
def closure(store, number, value):
    """Record the value of a closure."""
    store.write("closure-" + str(number), (number, value))

def total(store, numbers):
    """The sum of the closures' values."""
    amount, absent = 0.0, []
    for number in numbers:
        pair = store.read("closure-" + str(number))
        if pair is None:
            absent.append(number)
        else:
            amount += pair[1]
    return [amount, absent]

def totals(values, what):
    """Given, for the checks: what `total` says for each moment in which closure 0 may be disturbed."""
    return at_each_moment(closure, total, values, what)

def total_of(values, numbers):
    """Given, for the checks: `total` of these numbers after closures 0, 1 … have run."""
    return total(run_closures(closure, values, "nothing", 0)[0], numbers)
