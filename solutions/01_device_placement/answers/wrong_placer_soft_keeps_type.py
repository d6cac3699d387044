# exercise: placer
# score:    7/8
# fails:    placer-dropped
# says:     drops the whole pin
# why:      soft placement goes to the first device of the same type
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
        elif pin and not soft:
            placed[op] = "error"
        else:
            kind = pin.split(":")[0] if pin and pin.split(":")[0] in kernels[op] and first(pin.split(":")[0]) else ""
            placed[op] = first(kind) if kind else default(op)
    return placed
