# exercise: bytes
# score:    2/7
# fails:    bytes-step, bytes-batch, bytes-dtype
# says:     the input belongs to the activations
# why:      the input is not counted
def training_bytes(widths, batch, optimizer, dtype="float32"):
    size = tf.as_dtype(dtype).size
    values = 0
    for i in range(1, len(widths)):
        values += widths[i - 1] * widths[i] + widths[i]
    slots = {"sgd": 0, "momentum": 1, "adam": 2}[optimizer]
    activations = batch * sum(widths[1:])
    result = {"parameters": values * size, "gradients": values * size, "slots": slots * values * size,
              "activations": activations * size}
    result["total"] = sum(result.values())
    return result
