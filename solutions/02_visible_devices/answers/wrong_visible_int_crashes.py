# exercise: visible
# score:    3/8
# fails:    visible-none: ValueError
# fails:    visible-uuid: ValueError
# fails:    visible-hosts: ValueError
# why:      int() raises for an empty entry and for a UUID
def visible(mask, uuids):
    if mask is None:
        return list(range(len(uuids)))
    seen = []
    for entry in mask.split(","):
        if int(entry) < 0 or int(entry) >= len(uuids):
            break
        seen.append(int(entry))
    return seen
