# exercise: placer
# score:    5/8
# fails:    placer-hard, placer-default, placer-first
# says:     no pin is no request
# why:      a missing pin is treated as an impossible one
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
        elif not soft:
            placed[op] = "error"
        else:
            placed[op] = default(op)
    return placed
