# exercise: updates
# score:    0/7
# fails:    updates-all, updates-late, updates-eighteen, updates-very-late
# says:     takes their mean
# why:      adds instead of averaging
def updates(first, arrivals, needed, rate):
    w, step, dropped, waiting = first, 0, 0, []
    for made_at, gradient in arrivals:
        if made_at < step:
            dropped += 1
            continue
        waiting.append(gradient)
        if len(waiting) == needed:
            w -= rate * sum(waiting)
            step, waiting = step + 1, []
    return {"w": float(w), "updates": step, "dropped": dropped}
