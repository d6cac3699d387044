# exercise: visible
# score:    6/8
# breaks:   8
# fails:    visible-uuid: an entry that fits two cards, as GPU-
# why:      takes the first card that fits, though a second one does
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
        if not fits:
            break
        seen += fits[:1]
    return seen
