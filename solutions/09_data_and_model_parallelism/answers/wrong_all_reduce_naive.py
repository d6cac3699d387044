# exercise: all_reduce
# score:    1/4
# fails:    all_reduce-steps: some device sends to another one than the next: in a ring i sends to i + 1 only, the last to 0
# fails:    all_reduce-values: neutral
# fails:    all_reduce-two-and-five: with this number of devices some send more or fewer than 2 (n - 1) chunks
# why:      all send to device 0, which sends the sums back
def all_reduce(chunks):
    n, sums = len(chunks), [sum(column) for column in zip(*chunks)]
    there = [[i, 0, c, chunks[i][c]] for i in range(1, n) for c in range(n)]
    back = [[0, i, c, sums[c]] for i in range(1, n) for c in range(n)]
    return {"messages": [there, back], "result": [list(sums) for _ in chunks]}
