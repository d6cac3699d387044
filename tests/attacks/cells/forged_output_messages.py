# score:    0/10
# says:     made no sense
# survives: grader, others
# why:      outputs of wrong types and shapes, in messages of every kind that a notebook takes, and what is no message

# %% double
kernel = get_ipython().kernel
parent = kernel.get_parent("shell")
kernel.iopub_socket.send_multipart([b"x", b"<IDS|MSG>", b"", b"[]", b"[]", b"[]", b"\xff\xfe"])
for content in ({}, {"data": 1}, {"data": {"text/plain": {}}, "metadata": []}, {"name": [], "text": {}}, {"ename": 1},
                {"name": "stdout", "text": ["x", {"y": 1}]}, {"comm_id": "none", "data": {"method": "update"}}):
    for kind in ("display_data", "execute_result", "stream", "error", "update_display_data", "comm_msg", "nonsense"):
        try: kernel.session.send(kernel.iopub_socket, kind, content, parent=parent, ident=b"x")
        except Exception: pass
def double(x):
    return 0
