# exercise: placer
# score:    6/8
# fails:    placer-kernel
# says:     the op needs a kernel for it
# why:      a pin to an existing device is always kept
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
        if pin in devices:
            placed[op] = pin
        elif pin and not soft:
            placed[op] = "error"
        else:
            placed[op] = default(op)
    return placed
