# exercise: all_reduce
# score:    1/4
# breaks:   1
# fails:    all_reduce-steps: in some step a device sends more than one chunk
# fails:    all_reduce-values: neutral
# fails:    all_reduce-two-and-five: with this number of devices some send more or fewer than 2 (n - 1) chunks
# why:      sends the whole gradient in each step
def all_reduce(chunks):
    n, total, messages = len(chunks), [list(mine) for mine in chunks], []
    passing = [list(mine) for mine in chunks]
    for step in range(n - 1):
        messages.append([[i, (i + 1) % n, c, passing[i][c]] for i in range(n) for c in range(n)])
        passing = [passing[i - 1] for i in range(n)]
        total = [[a + b for a, b in zip(total[i], passing[i])] for i in range(n)]
    return {"messages": messages, "result": total}
