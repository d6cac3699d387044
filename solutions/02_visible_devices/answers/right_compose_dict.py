# exercise: compose
# score:    8/8
# why:      another way: new numbers as text, looked up in a dict
def logical_to_physical(mask, device_list, cards):
    shown = range(cards) if mask is None else [int(entry) for entry in mask.split(",") if entry != ""]
    by_name = {str(new): old for new, old in enumerate(shown)}
    if not by_name or not device_list:
        return list(by_name.values())
    wanted = device_list.split(",")
    fine = set(wanted) <= set(by_name) and len(wanted) == len(set(wanted))
    return [by_name[name] for name in wanted] if fine else "error"
