# exercise: trace
# score:    1/7
# fails:    trace-empty, trace-timeout, trace-order, trace-through
# says:     takes what is there at once and holds it
# why:      a take that wants more than there is takes nothing, and leaves it in the queue
def trace_lengths(capacity, events):
    length, waiting, trace = 0, [], []
    for who, what, n in events:
        if what == "timeout":
            waiting = [call for call in waiting if call[0] != who]
        else:
            waiting.append([who, what, n])
        moved = True
        while moved:
            moved = False
            for kind, sign in (("put", 1), ("take", -1)):
                first = next((call for call in waiting if call[1] == kind), None)
                count = first and min(first[2], capacity - length if sign > 0 else length)
                if count and (kind == "put" or count == first[2]):
                    length, moved = length + sign * count, True
                    first[2] -= count
                    if not first[2]:
                        waiting.remove(first)
        trace.append([length, [call[0] for call in waiting]])
    return trace
