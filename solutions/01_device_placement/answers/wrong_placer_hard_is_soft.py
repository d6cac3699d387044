# exercise: placer
# score:    5/8
# fails:    placer-hard, placer-kernel
# says:     it is an error
# why:      an impossible pin is never an error
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
        elif False:
            placed[op] = "error"
        else:
            placed[op] = default(op)
    return placed
