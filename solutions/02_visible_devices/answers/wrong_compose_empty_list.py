# exercise: compose
# score:    6/8
# fails:    compose-all, compose-hosts
# says:     an empty list is no filter
# why:      takes an empty list for an empty mask
def logical_to_physical(mask, device_list, cards):
    behind_mask = list(range(cards)) if mask is None else [int(entry) for entry in mask.split(",") if entry]
    if not behind_mask:
        return behind_mask
    if not device_list:
        return []
    entries = device_list.split(",")
    if len(set(entries)) < len(entries) or not all(
            entry.isdigit() and int(entry) < len(behind_mask) for entry in entries):
        return "error"
    return [behind_mask[int(entry)] for entry in entries]
