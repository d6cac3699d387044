# exercise: visible
# score:    3/8
# breaks:   9
# fails:    visible-ends: what comes before the invalid entry stays visible
# fails:    visible-uuid: what comes before the invalid entry stays visible
# fails:    visible-hosts: what comes before the invalid entry stays visible
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
        seen += fits
    return seen
