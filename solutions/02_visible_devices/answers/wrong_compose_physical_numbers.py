# exercise: compose
# score:    3/8
# fails:    compose-behind, compose-error, compose-hosts
# says:     compared with the cards' own numbers
# why:      applies the list to the driver's numbers
def logical_to_physical(mask, device_list, cards):
    behind_mask = list(range(cards)) if mask is None else [int(entry) for entry in mask.split(",") if entry]
    if not behind_mask or not device_list:
        return behind_mask
    entries = device_list.split(",")
    if len(set(entries)) < len(entries) or not all(
            entry.isdigit() and int(entry) in behind_mask for entry in entries):
        return "error"
    return [int(entry) for entry in entries]
