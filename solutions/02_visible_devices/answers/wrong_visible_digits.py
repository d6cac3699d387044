# exercise: visible
# score:    8/10
# fails:    visible-hosts
# says:     a number may have two digits
# why:      reads the mask character by character
def visible(mask, uuids):
    if mask is None:
        return list(range(len(uuids)))
    seen = []
    for entry in mask.split(",") if "GPU" in mask or "-" in mask or ",," in mask else mask.replace(",", "").replace(" ", ""):
        entry = entry.strip()
        fits = [i for i, uuid in enumerate(uuids) if entry and (entry == str(i) or uuid.startswith(entry))]
        if len(fits) != 1:
            break
        if fits[0] in seen:
            return []
        seen += fits
    return seen
