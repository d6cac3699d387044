# exercise: visible
# score:    2/8
# breaks:   2
# fails:    visible-order: the cards are sorted; the mask's order is the order of /gpu:i
# fails:    visible-uuid: neutral
# fails:    visible-hosts: neutral
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
        seen += fits
    return sorted(seen)
