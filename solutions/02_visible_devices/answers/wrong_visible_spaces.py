# exercise: visible
# score:    6/8
# breaks:   5
# fails:    visible-hosts: spaces around an entry do not count
# why:      a space makes an entry invalid
def visible(mask, uuids):
    if mask is None:
        return list(range(len(uuids)))
    seen = []
    for entry in mask.split(","):
        if entry.isdigit():
            fits = [int(entry)] if int(entry) < len(uuids) else []
        else:
            fits = [i for i, uuid in enumerate(uuids) if entry.strip() and uuid.startswith(entry)]
        if len(fits) != 1:
            break
        seen += fits
    return seen
