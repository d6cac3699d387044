# exercise: visible
# score:    6/8
# breaks:   4
# fails:    visible-hosts: a number may have two digits: split at the commas
# why:      reads a mask of numbers character by character
def visible(mask, uuids):
    if mask is None:
        return list(range(len(uuids)))
    seen = []
    for entry in (mask.split(",") if "GPU" in mask or "-" in mask or ",," in mask else mask.replace(",", "").replace(" ", "")):
        entry = entry.strip()
        if entry.isdigit():
            fits = [int(entry)] if int(entry) < len(uuids) else []
        else:
            fits = [i for i, uuid in enumerate(uuids) if entry and uuid.startswith(entry)]
        if len(fits) != 1:
            break
        seen += fits
    return seen
