# exercise: compose
# score:    5/8
# fails:    compose-error, compose-strict
# says:     when the list names a device that is not there
# why:      leaves the error to Python's index
def logical_to_physical(mask, device_list, cards):
    behind_mask = list(range(cards)) if mask is None else [int(entry) for entry in mask.split(",") if entry]
    if not behind_mask or not device_list:
        return behind_mask
    return [behind_mask[int(entry)] for entry in device_list.split(",")]
