# score:    0/10
# says:     printed more than 50 MB
# survives: grader, others
# why:      messages of fifteen million bytes, each almost as long as one may be

# %% double
kernel = get_ipython().kernel
def send(kind, content):
    kernel.session.send(kernel.iopub_socket, kind, content, parent=kernel.get_parent("shell"), ident=b"x")
for number in range(40):
    send("stream", {"name": "stdout", "text": "x" * 15_000_000})
def double(x):
    return 0
