# exercise: visible
# score:    4/10
# fails:    visible-none, visible-ends, visible-uuid, visible-repeat
# says:     Python's last element
# why:      -1 as an index counts from the end
def visible(mask, uuids):
    if mask is None:
        return list(range(len(uuids)))
    numbers = list(range(len(uuids)))
    seen = []
    for entry in mask.split(","):
        try:
            seen.append(numbers[int(entry)])
        except (IndexError, ValueError):
            break
    return seen
