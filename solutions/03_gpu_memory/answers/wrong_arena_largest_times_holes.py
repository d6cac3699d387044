# exercise: arena
# score:    6/8
# fails:    arena-cause
# says:     add up all free chunks
# why:      takes the largest hole times the number of holes for the free memory
def allocate(requests, size):
    chunks = [[0, size, None]]                # start, units, who holds it
    for name, units in requests:
        if units == 0:
            for chunk in chunks:
                if chunk[2] == name:
                    chunk[2] = None
            i = 0
            while i + 1 < len(chunks):
                if chunks[i][2] is None and chunks[i + 1][2] is None:
                    chunks[i][1] += chunks.pop(i + 1)[1]
                else:
                    i += 1
            continue
        free = [chunk for chunk in chunks if chunk[2] is None]
        best = min((chunk for chunk in free if chunk[1] >= units), key=lambda chunk: chunk[1], default=None)
        if best is None:
            most = max((chunk[1] for chunk in free), default=0) * len(free)
            failed = [name, "full" if most < units else "fragmented"]
            break
        if best[1] >= 2 * units:
            chunks.insert(chunks.index(best) + 1, [best[0] + units, best[1] - units, None])
            best[1] = units
        best[2] = name
    else:
        failed = None
    return {"placed": {name: [start, units] for start, units, name in chunks if name is not None}, "failed": failed}
