# exercise: visible
# score:    2/8
# breaks:   9
# fails:    visible-none: ValueError
# fails:    visible-ends: ValueError
# fails:    visible-uuid: ValueError
# fails:    visible-hosts: ValueError
# why:      expects an error for an invalid entry
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
            raise ValueError(f"no such card: {entry}")
        seen += fits
    return seen
