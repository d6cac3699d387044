# exercise: all_reduce
# score:    4/4
# why:      a generator yields the steps; the receiver looks back to the one before it
def steps_of(held):
    n = len(held)
    for turn in range(2 * n - 2):
        arriving = {}
        for to in range(n):
            source = (to - 1) % n
            chunk = (source - turn) % n
            arriving[to] = (source, chunk, held[source][chunk])
        for to, (source, chunk, value) in arriving.items():
            held[to][chunk] = value + held[to][chunk] * (turn < n - 1)
        yield [[source, to, chunk, value] for to, (source, chunk, value) in arriving.items()]


def all_reduce(chunks):
    held = [mine.copy() for mine in chunks]
    messages = list(steps_of(held))
    return dict(messages=messages, result=held)
