# exercise: bytes
# score:    6/7
# fails:    bytes-dtype
# says:     the dtype is not used
# why:      does not look at the dtype
def training_bytes(widths, batch, optimizer, dtype="float32"):
    size = 4
    values = 0
    for i in range(1, len(widths)):
        values += widths[i - 1] * widths[i] + widths[i]
    slots = {"sgd": 0, "momentum": 1, "adam": 2}[optimizer]
    activations = batch * sum(widths)
    result = {"parameters": values * size, "gradients": values * size, "slots": slots * values * size,
              "activations": activations * size}
    result["total"] = sum(result.values())
    return result
