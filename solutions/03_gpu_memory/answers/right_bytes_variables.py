# exercise: bytes
# score:    7/7
# why:      counts with NumPy's matrices
def training_bytes(widths, batch, optimizer, dtype="float32"):
    size = {"float64": 8, "float32": 4}.get(dtype, 2)
    layers = [np.empty([m + 1, n], "int8") for m, n in zip(widths[:-1], widths[1:])]
    parameters = size * sum(layer.size for layer in layers)
    activations = size * sum(batch * width for width in widths)
    slots = parameters * ["sgd", "momentum", "adam"].index(optimizer)
    return {"activations": activations, "slots": slots, "gradients": parameters, "parameters": parameters,
            "total": activations + slots + 2 * parameters}
