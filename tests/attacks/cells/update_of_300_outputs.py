# score:    0/10
# says:     printed more than 50 MB
# survives: grader, others
# why:      300 outputs of one name, so that one update of 900,000 letters goes into each

# %% double
kernel = get_ipython().kernel
def send(kind, content):
    kernel.session.send(kernel.iopub_socket, kind, content, parent=kernel.get_parent("shell"), ident=b"x")
def show(kind, text):
    send(kind, {"data": {"text/plain": text}, "metadata": {}, "transient": {"display_id": "one"}})
for number in range(300):
    show("display_data", "x")
show("update_display_data", "y" * 900_000)
def double(x):
    return 0
