# exercise: placer
# score:    8/8
# why:      ranks all candidates once and filters them
def predict_placement(pins, devices, kernels, soft):
    ranked = sorted(devices, key=lambda d: (d.split(":")[0] != "GPU", int(d.split(":")[1])))
    placed = {}
    for op in pins:
        able = [d for d in ranked if d.split(":")[0] in kernels[op]]
        wanted = [d for d in able if d == pins[op]] if pins[op] else able
        if soft and not wanted:
            wanted = able
        placed[op] = (wanted + ["error"])[0]
    return placed
