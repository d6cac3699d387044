# exercise: visible
# score:    8/8
# why:      the first entry, then the rest of the mask
def visible(mask, uuids):
    if mask is None:
        return [*range(len(uuids))]
    first, comma, rest = mask.partition(",")
    first = first.strip()
    if not first:
        return []
    if first.isdecimal():
        match = [n for n in range(len(uuids)) if n == int(first)]
    else:
        match = [n for n, uuid in enumerate(uuids) if uuid[: len(first)] == first]
    if len(match) != 1:
        return []
    return match + (visible(rest, uuids) if comma else [])
