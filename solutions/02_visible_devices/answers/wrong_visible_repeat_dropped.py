# exercise: visible
# score:    9/10
# fails:    visible-repeat
# says:     it is not just dropped
# why:      a repeated card counts once
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
        if fits[0] in seen:
            continue
        seen += fits
    return seen
