# exercise: all_reduce
# score:    4/4
# why:      follows each chunk on its way round
def all_reduce(chunks):
    n = len(chunks)
    messages = [[] for _ in range(2 * n - 2)]
    result = [[0.] * n for _ in range(n)]
    for c in range(n):
        place, value = c, chunks[c][c]
        for k in range(2 * n - 2):
            to = (place + 1) % n
            messages[k].append([place, to, c, value])
            if k < n - 1:
                value = value + chunks[to][c]
            place = to
        for i in range(n):
            result[i][c] = value
    return {"messages": messages, "result": result}
