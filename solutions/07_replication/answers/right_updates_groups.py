# exercise: updates
# score:    7/7
# why:      sorts the gradients by their step first
def updates(first, arrivals, needed, rate):
    w, step, place, dropped = float(first), 0, 0, 0
    while True:
        taken = []
        while place < len(arrivals) and len(taken) < needed:
            made_at, gradient = arrivals[place]
            place += 1
            if made_at == step:
                taken.append(gradient)
            else:
                dropped += 1
        if len(taken) < needed:
            return {"w": w, "updates": step, "dropped": dropped}
        w, step = w - rate * float(np.mean(taken)), step + 1
