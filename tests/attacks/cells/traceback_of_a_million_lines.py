# score:    7/10
# survives: grader, others
# why:      an error whose traceback has a million lines, and one of lines that are no text

# %% double
kernel = get_ipython().kernel
def send(kind, content):
    kernel.session.send(kernel.iopub_socket, kind, content, parent=kernel.get_parent("shell"), ident=b"x")
send("error", {"ename": "E", "evalue": "v", "traceback": ["x"] * 1_000_000})
send("error", {"ename": ["E"], "evalue": {}, "traceback": [1, None, ["x"]]})
def double(x):
    return 0
