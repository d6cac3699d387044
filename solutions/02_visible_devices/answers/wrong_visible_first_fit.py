# exercise: visible
# score:    8/10
# fails:    visible-uuid
# says:     GPU-5a fits two cards
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
        if fits[0] in seen:
            return []
        seen.append(fits[0])
    return seen
