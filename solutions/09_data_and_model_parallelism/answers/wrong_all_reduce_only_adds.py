# exercise: all_reduce
# score:    0/4
# breaks:   6
# fails:    all_reduce-result: each sum is complete on one device only, as after n - 1 steps: n - 1 more hand the sums round
# fails:    all_reduce-steps: these are n - 1 steps, as many as the adding needs; n - 1 more hand the sums round
# fails:    all_reduce-values: neutral
# fails:    all_reduce-two-and-five: with this number of devices some send more or fewer than 2 (n - 1) chunks
# why:      leaves out the second half: each sum is on one device only
def all_reduce(chunks):
    n = len(chunks)
    now = [list(mine) for mine in chunks]
    messages = []
    for step in range(n - 1):
        sent = []
        for i in range(n):
            c = (i - step) % n
            sent.append([i, (i + 1) % n, c, now[i][c]])
        for _, to, c, value in sent:
            now[to][c] = now[to][c] + value if step < n - 1 else value
        messages.append(sent)
    return {"messages": messages, "result": now}
