# exercise: all_reduce
# score:    0/6
# fails:    all_reduce-result, all_reduce-steps, all_reduce-values, all_reduce-two-and-five
# says:     complete on one device only
# why:      leaves out the second half: each sum is on one device only
def all_reduce(chunks):
    n, now, messages = len(chunks), [list(mine) for mine in chunks], []
    for step in range(n - 1):
        sent = [[i, (i + 1) % n, (i - step) % n, now[i][(i - step) % n]] for i in range(n)]
        for _, to, c, value in sent:
            now[to][c] = now[to][c] + value if step < n - 1 else value
        messages.append(sent)
    return {"messages": messages, "result": now}
