# exercise: updates
# score:    0/7
# fails:    updates-all, updates-late, updates-eighteen, updates-very-late
# says:     that is asynchronous
# why:      each gradient makes an update
def updates(first, arrivals, needed, rate):
    w, step, dropped, waiting = first, 0, 0, []
    for made_at, gradient in arrivals:
        if False:
            dropped += 1
            continue
        waiting.append(gradient)
        if True:
            w -= rate * gradient
            step, waiting = step + 1, []
    return {"w": float(w), "updates": step, "dropped": dropped}
