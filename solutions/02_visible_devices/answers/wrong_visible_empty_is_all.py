# exercise: visible
# score:    5/8
# breaks:   10
# fails:    visible-none: an empty mask is a mask: it hides all; only None shows all
# fails:    visible-hosts: an empty mask is a mask: it hides all
# why:      tests the mask's truth, and the empty text is false
def visible(mask, uuids):
    if not mask:
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
    return seen
