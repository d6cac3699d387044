# exercise: all_reduce
# score:    4/4
# why:      rolls whole arrays with NumPy
def all_reduce(chunks):
    now = np.array(chunks, float)
    n = len(now)
    devices = np.arange(n)
    messages = []
    for step in range(2 * (n - 1)):
        c = (devices - step) % n
        values = now[devices, c]
        to = np.roll(devices, -1)
        if step < n - 1:
            now[to, c] += values
        else:
            now[to, c] = values
        messages.append([[int(a), int(b), int(d), float(v)] for a, b, d, v in zip(devices, to, c, values)])
    return {"messages": messages, "result": now.tolist()}
