# exercise: all_reduce
# score:    0/6
# fails:    all_reduce-result, all_reduce-steps, all_reduce-values, all_reduce-two-and-five
# says:     n steps are too few
# why:      stops after n steps
def all_reduce(chunks):
    n, now, messages = len(chunks), [list(mine) for mine in chunks], []
    for step in range(n):
        sent = [[i, (i + 1) % n, (i - step) % n, now[i][(i - step) % n]] for i in range(n)]
        for _, to, c, value in sent:
            now[to][c] = now[to][c] + value if step < n - 1 else value
        messages.append(sent)
    return {"messages": messages, "result": now}
