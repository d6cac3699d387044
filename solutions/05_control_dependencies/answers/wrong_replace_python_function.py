# exercise: replace
# score:    0/7
# breaks:   6
# fails:    replace-files: a Python function
# fails:    replace-read: a Python function
# fails:    replace-other: a Python function
# fails:    replace-order: two writes
# why:      a Python function does it all; reads that nobody needs stand beside it
def all_of_it(path, text):
    path = path.decode()
    with open(path, "rb") as file:
        was = file.read()
    for name, content in ((path + ".old", was), (path, text)):
        with open(name, "wb") as file:
            file.write(content)
    return was, text, np.int32(2)


@tf.function(autograph=False)
def replace(path, text):
    before, after, files = tf.numpy_function(all_of_it, [path, text], [tf.string, tf.string, tf.int32])
    tf.io.read_file(path)
    tf.io.matching_files(path)
    return before, after, files


def replaced(texts):
    """Given, for the checks: your function, once for each text, on a file that holds "first"."""
    results = []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "report")
        tf.io.write_file(path, "first")
        for text in texts:
            before, after, files = replace(tf.constant(path), tf.constant(text))
            copy = path + ".old"
            old = tf.io.read_file(copy).numpy().decode() if os.path.exists(copy) else None
            now = tf.io.read_file(path).numpy().decode()
            results.append([before.numpy().decode(), after.numpy().decode(), int(files), old, now])
    text = tf.TensorSpec([], tf.string)
    traced = replace.get_concrete_function(text, text)
    return {"results": results, "nodes": opened_nodes(traced.graph.as_graph_def())}
