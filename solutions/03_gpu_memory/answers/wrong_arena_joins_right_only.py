# exercise: arena
# score:    6/8
# fails:    arena-coalesce
# says:     all three become one
# why:      joins only the free chunk behind it
def allocate(requests, size):
    chunks = [[0, size, None]]                # start, units, who holds it
    for name, units in requests:
        if units == 0:
            for chunk in chunks:
                if chunk[2] == name:
                    chunk[2] = None
                    i = chunks.index(chunk)
                    if i + 1 < len(chunks) and chunks[i + 1][2] is None:
                        chunk[1] += chunks.pop(i + 1)[1]
                    break
            continue
        free = [chunk for chunk in chunks if chunk[2] is None]
        best = min((chunk for chunk in free if chunk[1] >= units), key=lambda chunk: chunk[1], default=None)
        if best is None:
            total = sum(chunk[1] for chunk in free)
            failed = [name, "full" if total < units else "fragmented"]
            break
        if best[1] >= 2 * units:
            chunks.insert(chunks.index(best) + 1, [best[0] + units, best[1] - units, None])
            best[1] = units
        best[2] = name
    else:
        failed = None
    return {"placed": {name: [start, units] for start, units, name in chunks if name is not None}, "failed": failed}
