# exercise: bytes
# score:    2/7
# fails:    bytes-step, bytes-batch, bytes-dtype
# says:     for every example of the batch
# why:      activations of a single example
def training_bytes(widths, batch, optimizer, dtype="float32"):
    size = tf.as_dtype(dtype).size
    values = 0
    for i in range(1, len(widths)):
        values += widths[i - 1] * widths[i] + widths[i]
    slots = {"sgd": 0, "momentum": 1, "adam": 2}[optimizer]
    activations = sum(widths)
    result = {"parameters": values * size, "gradients": values * size, "slots": slots * values * size,
              "activations": activations * size}
    result["total"] = sum(result.values())
    return result
