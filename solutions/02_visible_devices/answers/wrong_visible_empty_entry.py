# exercise: visible
# score:    8/10
# fails:    visible-hosts
# says:     an empty entry names no card
# why:      the empty text is the beginning of the only card's UUID
def visible(mask, uuids):
    if mask is None:
        return list(range(len(uuids)))
    seen = []
    for entry in mask.split(","):
        entry = entry.strip()
        if entry.isdigit():
            fits = [int(entry)] if int(entry) < len(uuids) else []
        else:
            fits = [i for i, uuid in enumerate(uuids) if uuid.startswith(entry)]
        if len(fits) != 1:
            break
        if fits[0] in seen:
            return []
        seen += fits
    return seen
