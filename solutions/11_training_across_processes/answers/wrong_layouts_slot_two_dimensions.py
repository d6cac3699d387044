# exercise: layouts
# score:    7/9
# fails:    layouts-slots: cut as the weight is
# why:      looks at the first two dimensions only
def place(mesh, x, first, second):
    b = mesh.dim_size("batch")
    more = -x.shape[0] % b
    x = tf.pad(x, [[0, more], [0, 0]])
    return [
        lay_out(mesh, x, ["batch", "unsharded"]),
        lay_out(mesh, first, ["unsharded", "model"]),
        lay_out(mesh, second, ["model", "unsharded"]),
    ]

def slot(mesh, weight):
    specs = list(dtensor.fetch_layout(weight).sharding_specs)
    b = mesh.dim_size("batch")
    for at, spec in enumerate(specs[:2]):
        if spec == "unsharded" and weight.shape[at] % b == 0:
            specs[at] = "batch"
            break
    return lay_out(mesh, np.zeros(weight.shape), specs)
