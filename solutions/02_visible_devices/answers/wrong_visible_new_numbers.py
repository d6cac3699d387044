# exercise: visible
# score:    1/10
# fails:    visible-order, visible-ends, visible-uuid, visible-repeat, visible-hosts
# says:     the card behind each is asked for
# why:      returns the numbers of /gpu:i
def visible(mask, uuids):
    if mask is None:
        return list(range(len(uuids)))
    return list(range(len([entry for entry in mask.split(",") if entry.isdigit()])))
