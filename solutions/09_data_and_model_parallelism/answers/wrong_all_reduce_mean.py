# exercise: all_reduce
# score:    2/6
# fails:    all_reduce-result, all_reduce-values, all_reduce-two-and-five
# says:     divided by n
# why:      divides the sums by n
def all_reduce(chunks):
    n, now, messages = len(chunks), [list(mine) for mine in chunks], []
    for step in range(2 * (n - 1)):
        sent = [[i, (i + 1) % n, (i - step) % n, now[i][(i - step) % n]] for i in range(n)]
        for _, to, c, value in sent:
            now[to][c] = now[to][c] + value if step < n - 1 else value
        messages.append(sent)
    return {"messages": messages, "result": [[v / n for v in mine] for mine in now]}
