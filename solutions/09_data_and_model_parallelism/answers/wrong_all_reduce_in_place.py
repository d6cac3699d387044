# exercise: all_reduce
# score:    1/4
# breaks:   3
# fails:    all_reduce-result: neutral
# fails:    all_reduce-values: neutral
# fails:    all_reduce-two-and-five: neutral
# why:      passes on in the same step what it has just received
def all_reduce(chunks):
    n, now, messages = len(chunks), [list(mine) for mine in chunks], []
    for step in range(2 * (n - 1)):
        turn = []
        for i in range(n):
            to, c = (i + 1) % n, step % n
            turn.append([i, to, c, now[i][c]])
            now[to][c] = now[to][c] + now[i][c] if step < n - 1 else now[i][c]
        messages.append(turn)
    return {"messages": messages, "result": now}
