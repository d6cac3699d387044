# exercise: visible
# score:    4/10
# fails:    visible-none, visible-uuid, visible-repeat, visible-hosts
# says:     an empty entry and -1 are no card's number
# why:      int() raises for an empty entry and for a UUID
def visible(mask, uuids):
    if mask is None:
        return list(range(len(uuids)))
    seen = []
    for entry in mask.split(","):
        if int(entry) < 0 or int(entry) >= len(uuids):
            break
        seen.append(int(entry))
    return seen if len(seen) == len(set(seen)) else []
