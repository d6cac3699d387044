# exercise: all_reduce
# score:    3/4
# breaks:   2
# fails:    all_reduce-steps: some device sends to another one than the next: in a ring i sends to i + 1 only, the last to 0
# why:      sends to the device before it
def all_reduce(chunks):
    n = len(chunks)
    now = [list(mine) for mine in chunks]
    messages = []
    for step in range(2 * (n - 1)):
        sent = []
        for i in range(n):
            c = (i + step) % n
            sent.append([i, (i - 1) % n, c, now[i][c]])
        for _, to, c, value in sent:
            now[to][c] = now[to][c] + value if step < n - 1 else value
        messages.append(sent)
    return {"messages": messages, "result": now}
