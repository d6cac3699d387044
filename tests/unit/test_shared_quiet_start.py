"""The shared cell that starts TensorFlow, in a real kernel: nothing on stderr, everything else still heard."""

from __future__ import annotations

import os
import re

import nbformat
import pytest
from nbclient import NotebookClient

from autograder.authoring.source import SourceCell, shared_cell
from autograder.paths import Course

KERAS = """\
model = tf.keras.Sequential([tf.keras.layers.Dense(2)])
model.compile("sgd", "mse")
model.fit(np.ones((8, 3)), np.ones((8, 2)), verbose=0)
_ = plt.figure()"""
FAILING_OP = """\
try:
    tf.matmul([[1., 2.]], [[3., 4.]])
except tf.errors.InvalidArgumentError as error:
    print(error.message)"""
V1_LOG = """\
with tf.Graph().as_default():
    a = tf.constant([[1.]], name="a")
    product = tf.matmul(a, a, name="product")
    with tf.compat.v1.Session(config=tf.compat.v1.ConfigProto(log_device_placement=True)) as session:
        session.run(product)"""
DRAW = "print(np.random.rand(), float(tf.random.uniform([])), random.random())"


def cell_text(course: Course, **keywords) -> str:
    """The shared cell as the build fills it."""
    return shared_cell(course, SourceCell("code", "include", "quiet_start.py", "", "test", keywords=keywords))


@pytest.fixture(scope="module")
def outputs(course: Course) -> dict[str, list]:
    """Outputs by cell of one kernel (TensorFlow takes seconds to import, so all tests read the same run)."""
    four = cell_text(course, devices=4)
    cells = {
        "start": four,
        "devices": 'print([device.name for device in tf.config.list_logical_devices("CPU")])',
        "first op": "print((tf.constant([[2.]]) @ tf.constant([[3.]])).numpy())",
        "keras": KERAS,
        "failing op": FAILING_OP,
        "graph log": V1_LOG,
        "again": four,
        "draw": DRAW,
        "once more": four,
        "draw again": DRAW,
        "other number": cell_text(course, devices=2),
        "stderr": 'import os, sys\nprint("from Python", file=sys.stderr)\n_ = os.write(2, b"from C\\n")',
        "no tensorflow": 'import sys\nsys.modules["tensorflow"] = None\n' + four,
    }
    # What C++ prints is read by a thread; a cell that has ended no longer collects it, so each waits a moment.
    texts = [f"{text}\nimport time\ntime.sleep(0.3)" for text in cells.values()]
    # with this variable ipykernel leaves descriptors 1 and 2 alone, so that C++ would never be heard
    environment = {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"}
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in texts])
    NotebookClient(notebook, kernel_name="python3", timeout=120, allow_errors=True).execute(env=environment)
    return {name: cell.outputs for name, cell in zip(cells, notebook.cells, strict=True)}


def stream(outputs: list, name: str) -> str:
    return "".join(output.text for output in outputs if output.output_type == "stream" and output.name == name)


def test_one_line_reports_the_machine(outputs):
    line = stream(outputs["start"], "stdout")
    versions = r"TensorFlow 2\.\d+\.\d+ · Python 3\.\d+"
    devices = r"\d+ CPU cores?, 4 logical CPU devices · (no|\d+) GPUs? · (no|\d+) TPUs?"
    loading, ready = line.splitlines()
    assert loading == "Loading TensorFlow; this takes some seconds ..."
    assert re.fullmatch(f"Ready: {versions} · {devices}", ready), ready


def test_nothing_is_on_stderr_but_what_was_written_there(outputs):
    heard = {name: stream(of_cell, "stderr") for name, of_cell in outputs.items() if stream(of_cell, "stderr")}
    assert list(heard) == ["stderr"], heard


def test_stderr_works_again_after_the_import(outputs):
    assert {"from Python", "from C"} <= set(stream(outputs["stderr"], "stderr").split("\n"))


def test_the_logical_devices_exist(outputs):
    assert stream(outputs["devices"], "stdout").count("/device:CPU:") == 4


def test_errors_and_placement_logs_are_still_heard(outputs):
    assert "Matrix size-incompatible" in stream(outputs["failing op"], "stdout")
    line = "product: (MatMul): /job:localhost/replica:0/task:0/device:CPU:0"
    assert line in stream(outputs["graph log"], "stdout")


def test_the_cell_can_run_again_and_seeds_again(outputs):
    assert not [output for output in outputs["again"] if output.output_type == "error"]
    assert "4 logical CPU devices" in stream(outputs["again"], "stdout")
    numbers = re.findall(r"^0\.\d+ 0\.\d+ 0\.\d+$", stream(outputs["draw"], "stdout"), re.MULTILINE)
    assert len(numbers) == 1 and numbers[0] in stream(outputs["draw again"], "stdout")


@pytest.mark.parametrize(
    ("cell", "words"),
    [("other number", "Restart the kernel and run this cell first."), ("no tensorflow", "`make lab`")],
)
def test_what_cannot_start_says_so_in_one_line(outputs, cell, words):
    [error] = [output for output in outputs[cell] if output.output_type == "error"]
    assert error.ename == "CannotStart" and words in error.evalue
    assert error.traceback == [f"CannotStart: {error.evalue}"]
