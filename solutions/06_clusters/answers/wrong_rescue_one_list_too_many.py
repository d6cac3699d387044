# exercise: rescue
# score:    0/8
# fails:    rescue-one: one list too many
# fails:    rescue-missing: neutral
# fails:    rescue-many: neutral
# fails:    rescue-again: neutral
# fails:    rescue-elsewhere: neutral
# why:      fetches a list of one variable, and keeps the list
def rescue(target, variables):
    config = v1.ConfigProto(operation_timeout_in_ms=30_000)
    found = {}
    with tf.Graph().as_default() as graph:
        reads = {}
        for name, (task, shape) in variables.items():
            with tf.device(f"/job:ps/task:{task}"):
                reads[name] = v1.get_variable(name, shape=shape)
    with v1.Session(target, graph=graph, config=config) as session:
        for name, variable in reads.items():
            try:
                found[name] = [value.tolist() for value in session.run([variable])]
            except tf.errors.FailedPreconditionError:
                found[name] = None
    return found
