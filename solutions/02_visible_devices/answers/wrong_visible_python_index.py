# exercise: visible
# score:    6/8
# breaks:   6
# fails:    visible-none: -1 is Python's last element, but no card's number
# fails:    visible-ends: neutral
# why:      -1 as an index counts from the end
def visible(mask, uuids):
    if mask is None:
        return list(range(len(uuids)))
    seen = []
    for entry in mask.split(","):
        entry = entry.strip()
        if entry.lstrip("-").isdigit():
            fits = list(range(len(uuids)))[int(entry):][:1]
        else:
            fits = [i for i, uuid in enumerate(uuids) if entry and uuid.startswith(entry)]
        if len(fits) != 1:
            break
        seen += fits
    return seen
