# exercise: visible
# score:    8/8
# why:      numbers looked up as text in a dict
def visible(mask, uuids):
    if mask is None:
        return [number for number, _ in enumerate(uuids)]
    known = {str(number): [number] for number in range(len(uuids))}
    found = []
    for name in map(str.strip, mask.split(",")):
        candidates = known.get(name) or [i for i, uuid in enumerate(uuids) if name != "" and uuid.find(name) == 0]
        if len(candidates) == 1:
            found.append(candidates[0])
        else:
            break
    return found
