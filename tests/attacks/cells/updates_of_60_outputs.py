# score:    0/10
# says:     printed more than 50 MB
# survives: grader, others
# why:      sixty outputs, each updated to eight million letters after it was shown

# %% double
kernel = get_ipython().kernel
def send(kind, content):
    kernel.session.send(kernel.iopub_socket, kind, content, parent=kernel.get_parent("shell"), ident=b"x")
for number in range(60):
    send("display_data", {"data": {"text/plain": "x"}, "metadata": {}, "transient": {"display_id": str(number)}})
for number in range(60):
    content = {"data": {"text/plain": "x" * 8_000_000}, "metadata": {}, "transient": {"display_id": str(number)}}
    send("update_display_data", content)
def double(x):
    return 0
