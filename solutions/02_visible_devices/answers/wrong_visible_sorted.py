# exercise: visible
# score:    4/10
# fails:    visible-order, visible-uuid, visible-hosts
# says:     the cards are sorted
# why:      a mask as a set: order does not count
def visible(mask, uuids):
    if mask is None:
        return list(range(len(uuids)))
    seen = []
    for entry in mask.split(","):
        entry = entry.strip()
        if entry.isdigit():
            fits = [int(entry)] if int(entry) < len(uuids) else []
        else:
            fits = [i for i, uuid in enumerate(uuids) if entry and uuid.startswith(entry)]
        if len(fits) != 1:
            break
        if fits[0] in seen:
            return []
        seen += fits
    return sorted(seen)
