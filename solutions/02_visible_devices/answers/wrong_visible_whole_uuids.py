# exercise: visible
# score:    6/8
# breaks:   7
# fails:    visible-uuid: the beginning of a UUID names its card, if only one card fits
# why:      knows whole UUIDs only
def visible(mask, uuids):
    if mask is None:
        return list(range(len(uuids)))
    seen = []
    for entry in mask.split(","):
        entry = entry.strip()
        if entry.isdigit():
            fits = [int(entry)] if int(entry) < len(uuids) else []
        else:
            fits = [i for i, uuid in enumerate(uuids) if uuid == entry]
        if len(fits) != 1:
            break
        seen += fits
    return seen
