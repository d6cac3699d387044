# exercise: updates
# score:    1/7
# fails:    updates-late, updates-eighteen, updates-very-late
# says:     update
# why:      waits for all workers' gradients of a step and averages them all
def updates(first, arrivals, needed, rate):
    w, step, dropped, waiting = first, 0, 0, []
    needed = max([n for n in range(1, 100) if any(sum(a[0] == s for a in arrivals) == n for s in range(100))])
    for made_at, gradient in arrivals:
        if made_at < step:
            dropped += 1
            continue
        waiting.append(gradient)
        if len(waiting) == needed:
            w -= rate * sum(waiting) / needed
            step, waiting = step + 1, []
    return {"w": float(w), "updates": step, "dropped": dropped}
