# exercise: compose
# score:    7/8
# fails:    compose-strict
# says:     in Python it would be the last one
# why:      -1 as an index counts from the end
def logical_to_physical(mask, device_list, cards):
    behind_mask = list(range(cards)) if mask is None else [int(entry) for entry in mask.split(",") if entry]
    if not behind_mask or not device_list:
        return behind_mask
    entries = device_list.split(",")
    try:
        seen = [behind_mask[int(entry)] for entry in entries]
    except (IndexError, ValueError):
        return "error"
    return seen if len(set(seen)) == len(seen) else "error"
