# exercise: visible
# score:    6/8
# breaks:   10
# fails:    visible-hosts: an empty entry between two commas is invalid and ends the list
# why:      leaves out empty entries
def visible(mask, uuids):
    if mask is None:
        return list(range(len(uuids)))
    seen = []
    for entry in mask.split(","):
        entry = entry.strip()
        if not entry:
            continue
        if entry.isdigit():
            fits = [int(entry)] if int(entry) < len(uuids) else []
        else:
            fits = [i for i, uuid in enumerate(uuids) if entry and uuid.startswith(entry)]
        if len(fits) != 1:
            break
        seen += fits
    return seen
