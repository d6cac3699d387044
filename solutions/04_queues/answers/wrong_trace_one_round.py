# exercise: trace
# score:    3/7
# fails:    trace-full, trace-order, trace-through
# says:     p refills the queue while c takes
# why:      lets each side go once after an event, not until nothing moves
def trace_lengths(capacity, events):
    length, waiting, trace = 0, [], []
    for who, what, n in events:
        if what == "timeout":
            waiting = [call for call in waiting if call[0] != who]
        else:
            waiting.append([who, what, n])
        moved = True
        if moved:
            for kind, sign in (("put", 1), ("take", -1)):
                first = next((call for call in waiting if call[1] == kind), None)
                count = first and min(first[2], capacity - length if sign > 0 else length)
                if count:
                    length, moved = length + sign * count, True
                    first[2] -= count
                    if not first[2]:
                        waiting.remove(first)
        trace.append([length, [call[0] for call in waiting]])
    return trace
