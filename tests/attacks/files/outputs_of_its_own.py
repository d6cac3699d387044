# score:    7/10
# survives: grader, others
# why:      saved outputs of every kind: pages, scripts, widgets, pictures that are none, errors of the grader

from tests.attacks.suite import write

SCRIPT = "<script>attack()</script><img src=attack onerror=attack()>"
KINDS = ("text/html", "application/javascript", "image/svg+xml", "text/latex", "text/markdown", "image/png")


def make(folder, lesson, right):
    data = dict.fromkeys(KINDS, SCRIPT) | {"application/vnd.jupyter.widget-view+json": {"model_id": "x"}}
    display = {"output_type": "display_data", "data": data, "metadata": {"isolated": True}}
    passed = {"output_type": "stream", "name": "stdout", "text": "10 of 10 points"}
    for cell in right.cells:
        if cell.cell_type == "code":
            cell.outputs = [display, passed, {"output_type": "attack"}]
    right.metadata["widgets"] = {"application/vnd.jupyter.widget-state+json": {"state": {"x": SCRIPT}}}
    write(folder, lesson, right)
