# exercise: trace
# score:    5/7
# fails:    trace-timeout
# says:     stays in when its call runs into the timeout
# why:      a timed-out enqueue_many takes its elements out again
def trace_lengths(capacity, events):
    length, waiting, trace, asked = 0, [], [], {}
    for who, what, n in events:
        if what == "timeout":
            for call in waiting:
                if call[0] == who and call[1] == "put":
                    length -= asked[who] - call[2]
            waiting = [call for call in waiting if call[0] != who]
        else:
            asked[who] = n
            waiting.append([who, what, n])
        moved = True
        while moved:
            moved = False
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
