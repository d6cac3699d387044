# exercise: all_reduce
# score:    1/6
# fails:    all_reduce-steps, all_reduce-values, all_reduce-two-and-five
# says:     in a ring each device sends to the next one only
# why:      all send to device 0, which sends the sums back
def all_reduce(chunks):
    n, sums = len(chunks), [sum(column) for column in zip(*chunks)]
    there = [[i, 0, c, chunks[i][c]] for i in range(1, n) for c in range(n)]
    back = [[0, i, c, sums[c]] for i in range(1, n) for c in range(n)]
    return {"messages": [there, back], "result": [list(sums) for _ in chunks]}
