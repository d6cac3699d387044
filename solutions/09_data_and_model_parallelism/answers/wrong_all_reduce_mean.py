# exercise: all_reduce
# score:    1/4
# breaks:   7
# fails:    all_reduce-result: the sums are divided by n: an all-reduce adds; whoever wants a mean divides
# fails:    all_reduce-values: the result is not what the messages give
# fails:    all_reduce-two-and-five: neutral
# why:      divides the sums by n
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
            now[to][c] = now[to][c] + value if step < n - 1 else value
        messages.append(sent)
    return {"messages": messages, "result": [[v / n for v in mine] for mine in now]}
