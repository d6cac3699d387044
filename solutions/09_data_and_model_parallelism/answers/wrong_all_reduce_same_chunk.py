# exercise: all_reduce
# score:    2/6
# fails:    all_reduce-result, all_reduce-values, all_reduce-two-and-five
# says:     lacks a gradient
# why:      sends the chunk with its own number in each step
def all_reduce(chunks):
    n, now, messages = len(chunks), [list(mine) for mine in chunks], []
    for step in range(2 * (n - 1)):
        sent = [[i, (i + 1) % n, i, now[i][i]] for i in range(n)]
        for _, to, c, value in sent:
            now[to][c] = now[to][c] + value if step < n - 1 else value
        messages.append(sent)
    return {"messages": messages, "result": now}
