# exercise: layouts
# score:    9/9
# why:      the layouts that have names
def place(mesh, x, first, second):
    """Lay out a batch and the two matrices."""
    size = mesh.dim_size("batch")
    missing = (size - x.shape[0] % size) % size
    x = tf.concat([x, tf.zeros([missing, x.shape[1]])], axis=0)
    batch = dtensor.Layout.batch_sharded(mesh, "batch", rank=2)
    columns = dtensor.Layout.inner_sharded(mesh, "model", rank=2)
    rows = dtensor.Layout.batch_sharded(mesh, "model", rank=2)
    found = []
    for array, layout in ((x, batch), (first, columns), (second, rows)):
        copies = dtensor.copy_to_mesh(array, dtensor.Layout.replicated(mesh, rank=2))
        found.append(dtensor.relayout(copies, layout))
    return found

def slot(mesh, weight):
    """Zeros for an optimizer, cut along "batch" too."""
    specs = dtensor.fetch_layout(weight).sharding_specs
    size = mesh.dim_size("batch")
    fits = [i for i, spec in enumerate(specs) if spec == dtensor.UNSHARDED and weight.shape[i] % size == 0]
    if fits:
        specs = [*specs[: fits[0]], "batch", *specs[fits[0] + 1 :]]
    return dtensor.call_with_layout(tf.zeros, dtensor.Layout(specs, mesh), shape=weight.shape)

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
