# score:    7/10
# survives: grader, others
# why:      outputs that a notebook may not hold: other types, other names, values nested hundreds of levels deep

# %% double
kernel = get_ipython().kernel
parent = kernel.get_parent("shell")
deep = []
for _ in range(150): deep = [deep]
for kind, content in (
    ("display_data", {"data": {"text/plain": {"x": 1}}, "metadata": {}}),
    ("display_data", {"data": {"application/json": deep}, "metadata": {}}),
    ("display_data", {"data": {"image/png": 7, "text/html": ["x", 1]}, "metadata": {"x": deep}}),
    ("stream", {"name": "attack", "text": "x"}),
    ("error", {"ename": "E", "evalue": "v", "traceback": ["x"]}),
    ("execute_result", {"data": {"text/plain": "x"}, "metadata": {}, "execution_count": -7}),
):
    kernel.session.send(kernel.iopub_socket, kind, content, parent=parent, ident=b"x")
def double(x):
    return 0
