# exercise: visible
# score:    6/8
# breaks:   7
# fails:    visible-uuid: the beginning of a UUID names its card, if only one card fits
# why:      does not know UUIDs
def visible(mask, uuids):
    if mask is None:
        return list(range(len(uuids)))
    seen = []
    for entry in mask.split(","):
        entry = entry.strip()
        if entry.isdigit():
            fits = [int(entry)] if int(entry) < len(uuids) else []
        else:
            fits = []
        if len(fits) != 1:
            break
        seen += fits
    return seen
