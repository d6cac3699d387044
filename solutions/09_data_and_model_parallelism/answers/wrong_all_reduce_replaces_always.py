# exercise: all_reduce
# score:    1/4
# breaks:   4
# fails:    all_reduce-result: neutral
# fails:    all_reduce-values: neutral
# fails:    all_reduce-two-and-five: neutral
# why:      never adds
def all_reduce(chunks):
    n = len(chunks)
    now = [list(mine) for mine in chunks]
    messages = []
    for step in range(2 * (n - 1)):
        sent = []
        for i in range(n):
            c = (i - step) % n
            sent.append([i, (i + 1) % n, c, now[i][c]])
        for _, to, c, value in sent:
            now[to][c] = value
        messages.append(sent)
    return {"messages": messages, "result": now}
