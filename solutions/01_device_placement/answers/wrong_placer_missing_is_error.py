# exercise: placer
# score:    3/8
# fails:    placer-soft, placer-kernel, placer-dropped
# says:     only without soft placement
# why:      a missing device is an error even with soft placement
def predict_placement(pins, devices, kernels, soft):
    def first(kind):
        of_kind = [d for d in devices if d.split(":")[0] == kind]
        return min(of_kind, key=lambda d: int(d.split(":")[1]), default=None)

    def default(op):
        for kind in ("GPU", "CPU"):
            if kind in kernels[op] and first(kind):
                return first(kind)
        return "error"

    placed = {}
    for op, pin in pins.items():
        if pin in devices and pin.split(":")[0] in kernels[op]:
            placed[op] = pin
        elif pin:
            placed[op] = "error"
        else:
            placed[op] = default(op)
    return placed
