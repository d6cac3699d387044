# exercise: trace
# score:    1/7
# fails:    trace-empty, trace-timeout, trace-order, trace-through
# says:     cannot be negative
# why:      a take makes the length negative instead of waiting
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
                count = first and min(first[2], capacity - length if sign > 0 else first[2])
                if count:
                    length, moved = length + sign * count, True
                    first[2] -= count
                    if not first[2]:
                        waiting.remove(first)
        trace.append([length, [call[0] for call in waiting]])
    return trace
