# exercise: all_reduce
# score:    4/4
# why:      adds in one loop and hands round in another, beginning with another chunk
def all_reduce(chunks):
    n = len(chunks)
    now = np.array(chunks, float)
    messages = []
    for phase in ("add", "replace"):
        for step in range(n - 1):
            before, turn = now.copy(), []
            for i in range(n):
                c = (i - step + 1) % n if phase == "add" else (i - step + 2) % n
                to = 0 if i == n - 1 else i + 1
                turn.append((i, to, c, float(before[i, c])))
                now[to, c] = before[i, c] + (now[to, c] if phase == "add" else 0)
            messages.append(turn)
    return {"result": now.tolist(), "messages": messages}
