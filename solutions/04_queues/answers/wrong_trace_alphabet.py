# exercise: trace
# score:    5/7
# fails:    trace-order
# says:     began to wait
# why:      lists who waits in the order of the alphabet, latest first to be served
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
                first = next((call for call in reversed(waiting) if call[1] == kind), None)
                count = first and min(first[2], capacity - length if sign > 0 else length)
                if count:
                    length, moved = length + sign * count, True
                    first[2] -= count
                    if not first[2]:
                        waiting.remove(first)
        trace.append([length, [call[0] for call in waiting]])
    return trace
