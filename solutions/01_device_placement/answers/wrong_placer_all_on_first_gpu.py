# exercise: placer
# score:    3/8
# fails:    placer-default, placer-kernel, placer-first, placer-dropped
# says:     cannot go to a GPU
# why:      without a pin everything is on the first GPU, kernel or not
def predict_placement(pins, devices, kernels, soft):
    def first(kind):
        of_kind = [d for d in devices if d.split(":")[0] == kind]
        return min(of_kind, key=lambda d: int(d.split(":")[1]), default=None)

    def default(op):
        for kind in ("GPU", "CPU"):
            if first(kind):
                return first(kind)
        return "error"

    placed = {}
    for op, pin in pins.items():
        if pin in devices and pin.split(":")[0] in kernels[op]:
            placed[op] = pin
        elif pin and not soft:
            placed[op] = "error"
        else:
            placed[op] = default(op)
    return placed
