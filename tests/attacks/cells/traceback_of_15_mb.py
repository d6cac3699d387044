# score:    7/10
# says:     stopped with ValueError: yyyy || did not finish in
# survives: grader, others
# why:      an error with ten million letters in two places, for which a message is too long: the connection ends

# %% double
kernel = get_ipython().kernel
def send(kind, content):
    kernel.session.send(kernel.iopub_socket, kind, content, parent=kernel.get_parent("shell"), ident=b"x")
send("error", {"ename": "E" * 5_000_000, "evalue": "v" * 5_000_000, "traceback": ["x" * 1_000_000] * 5})
raise ValueError("y" * 10_000_000)
