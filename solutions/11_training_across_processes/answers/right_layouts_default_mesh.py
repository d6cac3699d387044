# exercise: layouts
# score:    9/9
# why:      a default mesh, and a layout looked up by name
SPECS = {"x": "batch,unsharded", "first": "unsharded,model", "second": "model,unsharded"}

def place(mesh, x, first, second):
    """Lay out a batch and the two matrices."""
    b = mesh.dim_size("batch")
    steps = tf.cast(tf.math.ceil(x.shape[0] / b), tf.int32)
    x = tf.pad(x, [[0, steps * b - x.shape[0]], [0, 0]])
    given = {"x": x, "first": first, "second": second}
    with dtensor.default_mesh(mesh):
        whole = dtensor.Layout.replicated(mesh, 2)
        copies = {name: dtensor.copy_to_mesh(value, whole) for name, value in given.items()}
        return [
            dtensor.relayout(copy, dtensor.Layout(SPECS[name].split(","), mesh))
            for name, copy in copies.items()
        ]

def slot(mesh, weight):
    """Zeros for an optimizer, cut along "batch" too."""
    layout = dtensor.fetch_layout(weight)
    b = mesh.dim_size("batch")

    def free(axis):
        return layout.sharding_specs[axis] == "unsharded" and weight.shape[axis] % b == 0

    chosen = next(filter(free, range(weight.shape.rank)), None)
    specs = ["batch" if axis == chosen else spec for axis, spec in enumerate(layout.sharding_specs)]
    return lay_out(mesh, np.zeros(weight.shape), specs)

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
