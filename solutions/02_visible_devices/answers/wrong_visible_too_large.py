# exercise: visible
# score:    5/8
# breaks:   6
# fails:    visible-ends: three cards have the numbers 0, 1 and 2; there is no card 3
# fails:    visible-hosts: twelve cards have the numbers 0 to 11
# why:      does not compare a number with the number of cards
def visible(mask, uuids):
    if mask is None:
        return list(range(len(uuids)))
    seen = []
    for entry in mask.split(","):
        entry = entry.strip()
        if entry.isdigit():
            fits = [int(entry)]
        else:
            fits = [i for i, uuid in enumerate(uuids) if entry and uuid.startswith(entry)]
        if len(fits) != 1:
            break
        seen += fits
    return seen
