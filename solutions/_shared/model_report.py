# @title Model report (run this; open it to see how it works)
# Runs a Keras model once and says, in plain values, where its variables are and where its ops ran.
import tensorflow as tf
from solutions._shared.placement_record import (
    kind_of,
    picture_parts,
    plain_name,
    short_device,
    source_of,
    trace_function,
    transfers_of,
)


def trace_model(model, x):
    """Run a Keras model once; return (output, RunMetadata). Input and output are on CPU:0."""

    @tf.function
    def call(x):
        with tf.device("CPU:0"):
            output = model(tf.identity(x, name="input"))
            return tf.identity(output, name="output")

    with tf.device("CPU:0"):
        return trace_function(call, tf.constant(x, tf.float32))


def variables_by_rank(model, rank):
    """The model's variables of so many dimensions: 2 for kernels, 1 for biases."""
    return [variable for variable in model.weights if len(variable.shape) == rank]


def set_layers(model, kernels, biases):
    """Give a model of Dense layers its weights, if its variables have these shapes."""
    for rank, values in ((2, kernels), (1, biases)):
        variables = variables_by_rank(model, rank)
        shapes = [tuple(variable.shape) for variable in variables]
        if shapes == [tf.convert_to_tensor(value).shape for value in values]:
            for variable, value in zip(variables, values, strict=True):
                variable.assign(value)


def where_variables(model, rank):
    """[[shape, device]] of the model's variables of so many dimensions."""
    found = []
    for variable in variables_by_rank(model, rank):
        found.append([list(variable.shape), short_device(variable.value.device)])
    return found


def report_model(model, kernels, biases, x):
    """Set a model's weights, run it once, and report, in plain values, what was where.

    Returns:
        {"kernels": [[shape, device]], "biases": [[shape, device]], "output": list of rows,
        "ops": {type: its devices, sorted}, "moves": [[what, from device, to device]],
        "sent": [type of the op whose value moves]}
    """
    if not isinstance(model, tf.keras.Model):
        return f"a value of type {type(model).__name__}, not a Keras model"
    trace_model(model, x)  # a model that has no variables yet makes them now
    set_layers(model, kernels, biases)
    output, metadata = trace_model(model, x)
    ops = {}
    shown, _ = picture_parts(metadata)
    for name, node in shown.items():
        if node.op not in ("_Arg", "_Recv") and name not in ("input", "output"):
            ops.setdefault(kind_of(node), []).append(short_device(node.device))
    moves = transfers_of(metadata)
    makers = [source_of(tensor) for tensor, *_ in moves]
    return {
        "kernels": where_variables(model, 2),
        "biases": where_variables(model, 1),
        "output": output.numpy().tolist(),
        "ops": {kind: sorted(devices) for kind, devices in ops.items()},
        "moves": [[plain_name(tensor), *ends] for tensor, *ends in moves],
        "sent": sorted(kind_of(shown[name]) for name in makers if name in shown),
    }


def train_model(model, x):
    """Train a model for one epoch with `fit`; every output should become 5.

    Returns:
        {"changed": [whether each kernel changed], "biases": [whether each bias changed],
        "kernels": [[shape, device]] afterwards}
    """
    if not isinstance(model, tf.keras.Model):
        return f"a value of type {type(model).__name__}, not a Keras model"
    x = tf.constant(x, tf.float32)
    y = tf.fill([len(x), model(x).shape[-1]], 5.0)
    before = [[variable.numpy() for variable in variables_by_rank(model, rank)] for rank in (2, 1)]
    model.compile(optimizer="sgd", loss="mse")
    model.fit(x, y, epochs=1, verbose=0)
    changed = {}
    for rank, old in zip((2, 1), before, strict=True):
        variables = variables_by_rank(model, rank)
        changed[rank] = [
            bool((variable.numpy() != was).any())
            for variable, was in zip(variables, old, strict=True)
        ]
    return {"changed": changed[2], "biases": changed[1], "kernels": where_variables(model, 2)}
