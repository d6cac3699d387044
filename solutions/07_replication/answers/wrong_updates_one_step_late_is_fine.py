# exercise: updates
# score:    1/7
# fails:    updates-late, updates-eighteen, updates-very-late
# says:     late
# why:      a gradient of the step before still counts
def updates(first, arrivals, needed, rate):
    w, step, dropped, waiting = first, 0, 0, []
    for made_at, gradient in arrivals:
        if made_at < step - 1:
            dropped += 1
            continue
        waiting.append(gradient)
        if len(waiting) == needed:
            w -= rate * sum(waiting) / needed
            step, waiting = step + 1, []
    return {"w": float(w), "updates": step, "dropped": dropped}
