# exercise: visible
# score:    0/8
# fails:    visible-order: the result holds text; a card's number, such as 2, is asked for
# fails:    visible-none: neutral
# fails:    visible-ends: neutral
# fails:    visible-uuid: neutral
# fails:    visible-hosts: neutral
# why:      returns the cards' UUIDs
def visible(mask, uuids):
    if mask is None:
        return uuids
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
    return [uuids[i] for i in seen]
