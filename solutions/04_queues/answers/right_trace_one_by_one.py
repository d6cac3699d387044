# exercise: trace
# score:    7/7
# why:      moves one element at a time until nobody can go on
def trace_lengths(capacity, events):
    length, calls, trace = 0, [], []
    for who, what, n in events:
        if what == "timeout":
            calls = [call for call in calls if call["who"] != who]
        else:
            calls.append({"who": who, "what": what, "left": n})
        while True:
            puts = [call for call in calls if call["what"] == "put"]
            takes = [call for call in calls if call["what"] == "take"]
            if puts and length < capacity:
                puts[0]["left"], length = puts[0]["left"] - 1, length + 1
            elif takes and length > 0:
                takes[0]["left"], length = takes[0]["left"] - 1, length - 1
            else:
                break
            calls = [call for call in calls if call["left"] > 0]
        trace.append([length, [call["who"] for call in calls]])
    return trace
