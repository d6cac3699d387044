# exercise: once
# score:    4/5
# fails:    once-missing: is counted, too
# why:      adds up the values of all closures, not of those asked for
def closure(store, number, value):
    store.write(f"value of {number}", value)

def total(store, numbers):
    found = {number: store.read(f"value of {number}") for number in range(100)}
    missing = [number for number in numbers if found.get(number) is None]
    return [sum(v for v in found.values() if v is not None), missing]
