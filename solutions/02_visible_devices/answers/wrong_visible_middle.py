# exercise: visible
# score:    6/8
# fails:    visible-uuid: from the middle of a UUID
# why:      takes any part of a UUID, not only its beginning
def visible(mask, uuids):
    if mask is None:
        return list(range(len(uuids)))
    seen = []
    for entry in mask.split(","):
        entry = entry.strip()
        if not entry:
            break
        if entry.isdigit():
            card = int(entry)
            if card >= len(uuids):
                break
        else:
            fits = [i for i, uuid in enumerate(uuids) if entry in uuid]
            if len(fits) != 1:
                break
            card = fits[0]
        seen.append(card)
    return seen
