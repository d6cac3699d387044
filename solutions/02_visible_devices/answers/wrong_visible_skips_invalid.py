# exercise: visible
# score:    3/10
# fails:    visible-ends, visible-uuid, visible-repeat, visible-hosts
# says:     the invalid entry is skipped
# why:      takes an invalid entry for one that does not count
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
            continue
        if fits[0] in seen:
            return []
        seen += fits
    return seen
