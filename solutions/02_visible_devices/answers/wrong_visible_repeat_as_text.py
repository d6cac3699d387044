# exercise: visible
# score:    9/10
# fails:    visible-repeat
# says:     compare cards, not texts
# why:      compares the entries as they are written
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
    texts = mask.split(",")[:len(seen) + 1]
    return seen if len(texts) == len(set(texts)) else []
