# exercise: compose
# score:    5/8
# fails:    compose-error, compose-strict
# says:     TensorFlow's list is an error
# why:      the list ends silently, as a mask does
def logical_to_physical(mask, device_list, cards):
    behind_mask = list(range(cards)) if mask is None else [int(entry) for entry in mask.split(",") if entry]
    if not behind_mask or not device_list:
        return behind_mask
    seen = []
    for entry in device_list.split(","):
        if not entry.isdigit() or int(entry) >= len(behind_mask):
            break
        seen.append(behind_mask[int(entry)])
    return seen
