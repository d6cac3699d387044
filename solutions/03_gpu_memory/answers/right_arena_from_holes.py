# exercise: arena
# score:    8/8
# why:      works the holes out anew for each request
def allocate(requests, size):
    held = {}
    for name, units in requests:
        if not units:
            del held[name]
            continue
        holes, at = [], 0
        for start, length in sorted(held.values()) + [(size, 0)]:
            if start > at:
                holes.append((start - at, at))
            at = start + length
        good = sorted(hole for hole in holes if hole[0] >= units)
        if not good:
            cause = "fragmented" if sum(length for length, _ in holes) >= units else "full"
            return {"placed": {n: list(c) for n, c in held.items()}, "failed": [name, cause]}
        length, start = good[0]
        held[name] = (start, length if length < 2 * units else units)
    return {"placed": {n: list(c) for n, c in held.items()}, "failed": None}
