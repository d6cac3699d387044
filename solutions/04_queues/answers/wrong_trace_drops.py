# exercise: trace
# score:    1/7
# fails:    trace-full, trace-timeout, trace-order, trace-through
# says:     not dropped
# why:      an enqueue beyond the capacity drops what has no room
def trace_lengths(capacity, events):
    length, waiting, trace = 0, [], []
    for who, what, n in events:
        if what == "put":
            room = capacity - length
            for call in list(waiting):
                step = min(n, call[1])
                call[1], n = call[1] - step, n - step
                if not call[1]:
                    waiting.remove(call)
            length += min(n, room)
        elif what == "take":
            step = min(n, length)
            length -= step
            if step < n:
                waiting.append([who, n - step])
        else:
            waiting = [call for call in waiting if call[0] != who]
        trace.append([length, [call[0] for call in waiting]])
    return trace
