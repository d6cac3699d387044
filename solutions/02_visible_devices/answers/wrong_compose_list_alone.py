# exercise: compose
# score:    5/8
# fails:    compose-behind, compose-hosts
# says:     they count behind the mask
# why:      checks the list, and returns its numbers
def logical_to_physical(mask, device_list, cards):
    behind_mask = list(range(cards)) if mask is None else [int(entry) for entry in mask.split(",") if entry]
    if not behind_mask or not device_list:
        return behind_mask
    entries = device_list.split(",")
    if len(set(entries)) < len(entries) or not all(
            entry.isdigit() and int(entry) < len(behind_mask) for entry in entries):
        return "error"
    return [int(entry) for entry in entries]
