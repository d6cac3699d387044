# exercise: visible
# score:    8/8
# why:      takewhile over the entries
from itertools import takewhile

def visible(mask, uuids):
    def number(entry):
        entry = entry.strip()
        try:
            return int(entry) if 0 <= int(entry) < len(uuids) else None
        except ValueError:
            fits = [i for i in range(len(uuids)) if entry and uuids[i].startswith(entry)]
            return fits[0] if len(fits) == 1 else None

    if mask is None:
        return list(range(len(uuids)))
    return list(takewhile(lambda found: found is not None, map(number, mask.split(","))))
