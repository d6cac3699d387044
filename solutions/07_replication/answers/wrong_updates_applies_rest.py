# exercise: updates
# score:    2/7
# fails:    updates-all, updates-eighteen, updates-very-late
# says:     alone made an update
# why:      what is left makes a last update
def updates(first, arrivals, needed, rate):
    w, step, dropped, waiting = first, 0, 0, []
    for made_at, gradient in arrivals:
        if made_at < step:
            dropped += 1
            continue
        waiting.append(gradient)
        if len(waiting) == needed:
            w -= rate * sum(waiting) / needed
            step, waiting = step + 1, []
    if waiting:
        w, step = w - rate * sum(waiting) / len(waiting), step + 1
    return {"w": float(w), "updates": step, "dropped": dropped}
