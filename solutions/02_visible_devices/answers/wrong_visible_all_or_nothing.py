# exercise: visible
# score:    3/10
# fails:    visible-ends, visible-uuid, visible-repeat, visible-hosts
# says:     what stands before it stays visible
# why:      one invalid entry spoils the whole mask
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
            return []
        if fits[0] in seen:
            return []
        seen += fits
    return seen
