# exercise: all_reduce
# score:    0/4
# fails:    all_reduce-result: neutral
# fails:    all_reduce-steps: these are n steps; a ring has n - 1 to add and n - 1 to hand the sums round
# fails:    all_reduce-values: neutral
# fails:    all_reduce-two-and-five: with this number of devices some send more or fewer than 2 (n - 1) chunks
# why:      stops after n steps
def all_reduce(chunks):
    n = len(chunks)
    now = [list(mine) for mine in chunks]
    messages = []
    for step in range(n):
        sent = []
        for i in range(n):
            c = (i - step) % n
            sent.append([i, (i + 1) % n, c, now[i][c]])
        for _, to, c, value in sent:
            now[to][c] = now[to][c] + value if step < n - 1 else value
        messages.append(sent)
    return {"messages": messages, "result": now}
