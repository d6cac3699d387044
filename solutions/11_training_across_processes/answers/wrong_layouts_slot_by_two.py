# exercise: layouts
# score:    7/9
# breaks:   5
# fails:    layouts-slots: divisible by
# why:      asks whether 2 divides, not b
def place(mesh, x, first, second):
    """Lay out a batch and the two matrices.

    Args:
        mesh: dtensor.Mesh with the dimensions "batch" and "model".
        x: tf.Tensor, float32, [rows, inputs].
        first: tf.Tensor, float32, [inputs, hidden]; m divides both.
        second: tf.Tensor, float32, [hidden, outputs]; m divides both.
    Returns:
        [x, first, second]: list of three DTensors.
    """
    x = tf.pad(x, [[0, -x.shape[0] % mesh.dim_size("batch")], [0, 0]])
    return [
        lay_out(mesh, x, ["batch", "unsharded"]),
        lay_out(mesh, first, ["unsharded", "model"]),
        lay_out(mesh, second, ["model", "unsharded"]),
    ]

def slot(mesh, weight):
    """Zeros for an optimizer, cut along "batch" too.

    Args:
        mesh: dtensor.Mesh with the dimensions "batch" and "model".
        weight: DTensor on this mesh, of any number of dimensions; none is cut along "batch".
    Returns:
        DTensor, float32.
    """
    specs = list(dtensor.fetch_layout(weight).sharding_specs)
    for index, size in enumerate(weight.shape):
        if specs[index] == "unsharded" and size % 2 == 0:
            specs[index] = "batch"
            break
    return lay_out(mesh, tf.zeros(weight.shape), specs)

def placed(batch, model, x, first, second):
    """Given, for the checks: [shapes of the pieces, what the network gives, collectives]."""
    arrays = [tf.constant(array, tf.float32) for array in (x, first, second)]
    laid = place(make_mesh(batch, model), *arrays)
    shapes = [list(pieces(part)[0].shape) for part in laid]
    mesh = dtensor.fetch_layout(laid[0]).mesh
    gathered = dtensor.relayout(network(*laid), dtensor.Layout.replicated(mesh, rank=2))
    return [shapes, pieces(gathered)[0].tolist(), collectives(gradients, *laid)]

def slot_of(batch, model, shape, specs):
    """Given, for the checks: [shape of the slot, of its pieces, its smallest and largest number]."""
    mesh = make_mesh(batch, model)
    made = slot(mesh, lay_out(mesh, np.ones(shape), specs))
    held = pieces(made)
    numbers = np.concatenate([piece.ravel() for piece in held])
    return [list(made.shape), list(held[0].shape), float(numbers.min()), float(numbers.max())]
