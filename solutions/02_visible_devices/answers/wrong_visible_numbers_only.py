# exercise: visible
# score:    8/10
# fails:    visible-uuid
# says:     the beginning of a UUID is enough
# why:      does not know UUIDs
def visible(mask, uuids):
    if mask is None:
        return list(range(len(uuids)))
    seen = []
    for entry in mask.split(","):
        if not entry.strip().isdigit() or int(entry) >= len(uuids):
            break
        seen.append(int(entry))
    return seen if len(seen) == len(set(seen)) else []
