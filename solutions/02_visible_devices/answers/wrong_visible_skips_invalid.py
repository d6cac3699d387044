# exercise: visible
# score:    3/8
# breaks:   9
# fails:    visible-ends: the invalid entry is skipped; it ends the list
# fails:    visible-uuid: an entry that fits two cards, as GPU-
# fails:    visible-hosts: the invalid entry is skipped; it ends the list
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
        seen += fits
    return seen
