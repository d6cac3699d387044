# score:    7/10
# survives: grader, others, machine
# why:      replies that ask the one who runs the notebook to add cells, to show pages and to exit

# %% double
shell = get_ipython()
for payload in (
    {"source": "set_next_input", "text": "double = lambda x: 2 * x", "replace": True},
    {"source": "page", "data": {"text/html": "<script>attack()</script>"}, "start": 0},
    {"source": "ask_exit", "keepkernel": False},
    {"source": "edit_magic", "filename": "/tmp/attack-was-here", "line_number": 0},
):
    shell.payload_manager.write_payload(payload, single=False)
def double(x):
    return 0
