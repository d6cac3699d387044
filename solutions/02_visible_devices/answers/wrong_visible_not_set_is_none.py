# exercise: visible
# score:    7/8
# breaks:   3
# fails:    visible-none: without a mask, all cards are visible
# why:      no mask shows no card
def visible(mask, uuids):
    if mask is None:
        return []
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
    return seen
