# exercise: compose
# score:    7/8
# fails:    compose-none
# says:     an empty mask is a mask
# why:      tests the mask's truth, and the empty text is false
def logical_to_physical(mask, device_list, cards):
    behind_mask = list(range(cards)) if not mask else [int(entry) for entry in mask.split(",") if entry]
    if not behind_mask or not device_list:
        return behind_mask
    entries = device_list.split(",")
    if len(set(entries)) < len(entries) or not all(
            entry.isdigit() and int(entry) < len(behind_mask) for entry in entries):
        return "error"
    return [behind_mask[int(entry)] for entry in entries]
