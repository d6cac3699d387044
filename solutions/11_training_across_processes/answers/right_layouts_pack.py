# exercise: layouts
# score:    9/9
# why:      cuts the arrays and packs the pieces
def cut(mesh, array, specs):
    """A DTensor packed from the pieces."""
    layout = dtensor.Layout(specs, mesh)
    shards = []
    for place_of in mesh.local_device_locations():
        piece = array
        for axis, spec in enumerate(specs):
            if spec != "unsharded":
                piece = tf.split(piece, mesh.dim_size(spec), axis=axis)[place_of[spec]]
        shards.append(piece)
    return dtensor.pack(shards, layout)

def place(mesh, x, first, second):
    """Lay out a batch and the two matrices."""
    while x.shape[0] % mesh.dim_size("batch"):
        x = tf.concat([x, tf.zeros([1, x.shape[1]])], axis=0)
    return [
        cut(mesh, x, ["batch", "unsharded"]),
        cut(mesh, first, ["unsharded", "model"]),
        cut(mesh, second, ["model", "unsharded"]),
    ]

def slot(mesh, weight):
    """Zeros for an optimizer, cut along "batch" too."""
    specs = list(dtensor.fetch_layout(weight).sharding_specs)
    for axis in range(len(specs)):
        if specs[axis] == "unsharded" and not weight.shape[axis] % mesh.dim_size("batch"):
            specs[axis] = "batch"
            return cut(mesh, tf.zeros(weight.shape), specs)
    return cut(mesh, tf.zeros(weight.shape), specs)

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
