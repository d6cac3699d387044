# exercise: trace
# score:    7/7
# why:      counts what was offered and what was asked for; the length follows from both
from collections import OrderedDict

def trace_lengths(capacity, events):
    putting, taking, length, trace = OrderedDict(), OrderedDict(), 0, []
    for who, what, n in events:
        if what == "put":
            putting[who] = n
        elif what == "take":
            taking[who] = n
        else:
            putting.pop(who, None), taking.pop(who, None)
        offered = length + sum(putting.values())
        moved = min(offered, sum(taking.values()))
        length_after = min(capacity, offered - moved)
        serve(putting, length_after + moved - length)
        serve(taking, moved)
        length = length_after
        trace.append((length, list(putting) + list(taking)))
    return trace

def serve(waiting, count):
    while count:
        who, n = next(iter(waiting.items()))
        step = min(n, count)
        count -= step
        if step == n:
            del waiting[who]
        else:
            waiting[who] = n - step
