# exercise: compose
# score:    8/8
# why:      another way: a loop that leaves at the first mistake
def logical_to_physical(mask, device_list, cards):
    if mask is None:
        shown = [number for number in range(cards)]
    elif mask == "":
        shown = []
    else:
        shown = list(map(int, mask.split(",")))
    if shown == [] or device_list == "":
        return shown
    result = []
    for entry in device_list.split(","):
        try:
            position = int(entry)
        except ValueError:
            return "error"
        if position not in range(len(shown)) or shown[position] in result:
            return "error"
        result.append(shown[position])
    return result
