# exercise: placer
# score:    8/8
# why:      the three rules, one after the other
def predict_placement(pins, devices, kernels, soft):
    def by_rule_two(op):
        for kind in ("GPU", "CPU"):
            numbers = sorted(int(d.partition(":")[2]) for d in devices if d.startswith(kind))
            if numbers and kind in kernels[op]:
                return f"{kind}:{numbers[0]}"
        return "error"

    result = {}
    for op, pin in pins.items():
        possible = pin in devices and pin.partition(":")[0] in kernels[op]
        if possible:
            result[op] = pin
        elif pin == "" or soft:
            result[op] = by_rule_two(op)
        else:
            result[op] = "error"
    return result
