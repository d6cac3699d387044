# exercise: visible
# score:    1/8
# breaks:   1
# fails:    visible-order: these are the new numbers, those of /gpu:i; the host's number of each card is asked for
# fails:    visible-ends: neutral
# fails:    visible-uuid: neutral
# fails:    visible-hosts: neutral
# why:      returns the numbers of /gpu:i, not those of the host
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
        seen += fits
    return list(range(len(seen)))
