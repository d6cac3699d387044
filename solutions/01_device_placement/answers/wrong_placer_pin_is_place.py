# exercise: placer
# score:    2/8
# fails:    placer-soft, placer-hard, placer-kernel, placer-dropped
# says:     a pin is a request
# why:      a pin means the op runs there, whatever exists
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
        if pin:
            placed[op] = pin
        elif pin and not soft:
            placed[op] = "error"
        else:
            placed[op] = default(op)
    return placed
