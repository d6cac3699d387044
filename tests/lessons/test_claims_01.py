"""What lesson 01 says of placement is so: its own cells run once, and then more of the same kind."""

from __future__ import annotations

import json

import nbformat
import pytest

from tests.conftest import ROOT
from tests.kernels import Run, run_notebook

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("claims_01")]

LESSON = ROOT / "solutions/01_device_placement/01_device_placement.ipynb"

# What else is asked, with the lesson's own functions; the last line prints the answers.
PROBE = """
import json
from tensorflow.python.eager import context

said = {}

def optimized(call):
    "MatMul of a function that runs under TensorFlow's default settings: [(device, products)]."
    context.context().enable_run_metadata()
    context.context().export_run_metadata()
    try:
        call()
        record = context.context().export_run_metadata()
    finally:
        context.context().disable_run_metadata()
    return sorted(short_device(node.device) for node in nodes_of(record) if node.op.endswith("MatMul"))

copied = tf.function(two_products.python_function)
said["products under default settings"] = optimized(lambda: copied(tf.eye(2)))

weights_moved = {}
for width in (2, 300):
    inputs = tf.keras.Input([4])
    with tf.device("CPU:1"):
        wide = tf.keras.layers.Dense(width)(inputs)
    model = tf.keras.Model(inputs, wide)
    weights_moved[width] = [what for what, *_ in report_model(model, [], [], np.ones([5, 4]))["moves"]]
said["weights of a functional model travel"] = [
    all("(read)" in what for what in moved) and len(moved) == 2 for moved in weights_moved.values()]

for width in (4, 500):
    chain = tf.keras.Sequential([ScaleOn("CPU:1"), ScaleOn("CPU:2")])
    said[f"moves of {width} columns"] = len(report_model(chain, [], [], np.ones([5, width]))["moves"])

def follows(values, devices):
    with tf.Graph().as_default() as graph:
        constant = tf.constant([1.] * values, name="constant")
        for number, device in enumerate(devices):
            with tf.device(device):
                tf.add(constant, constant, name=f"reader{number}")
    fetches = [f"reader{number}:0" for number in range(len(devices))]
    metadata = run_and_trace(graph, fetches)[1]
    moved = [what for what, *_ in transfers_of(metadata) if what.startswith("constant")]
    return [placement_of(metadata).get("constant"), len(moved)]

said["constant of one device"] = follows(100, ["CPU:2"])
said["constant of 16, two devices"] = follows(16, ["CPU:1", "CPU:2"])
said["constant of 17, two devices"] = follows(17, ["CPU:1", "CPU:2"])

def reads(once):
    with tf.Graph().as_default() as graph:
        with tf.device("CPU:1"):
            weights = v1.get_variable("weights", initializer=[[1., 2.], [0., 1.]])
            value = tf.identity(weights, name="value") if once else weights
        with tf.device("CPU:2"):
            square = tf.matmul(value, value)
            tf.add(square, value, name="output")
    return sum(target == "CPU:2" for _, _, target in transfers_of(run_and_trace(graph, "output:0")[1]))

said["transfers of a value, of a variable"] = [reads(True), reads(False)]

options, metadata = v1.RunOptions(output_partition_graphs=True), v1.RunMetadata()
with v1.Session(graph=two_device_sum(["CPU:1", "CPU:2"]), config=v1.ConfigProto(device_count={"CPU": 4})) as session:
    session.run("total:0", None, options, metadata)
said["products after constant folding"] = sum(node.op.endswith("MatMul") for node in nodes_of(metadata))

forward_and_backward = trace_function(gradients, tf.constant(rows))[1]
placed = {name: device for name, device in placement_of(forward_and_backward).items()
          if name.endswith(("/mul", "/Mul", "/Mul_1"))}
said["backward"] = [sorted(device for name, device in placed.items() if name.startswith("gradient_tape") == back)
                    for back in (False, True)]
tf.debugging.set_log_device_placement(True)
with native_output() as late:
    tf.constant(1.) + 2.
    tf.function(lambda x: x + 1.)(tf.constant(1.))
tf.debugging.set_log_device_placement(False)
said["late log"] = "device:CPU" in late.text
print(json.dumps(said))
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> Run:
    """The lesson without its exercises and without its second Python, then the probe."""
    folder = tmp_path_factory.mktemp("claims")
    notebook = nbformat.read(LESSON, as_version=4)
    parts = ("exercise", "solution", "try", "check", "hidden", "written", "model")
    kept = []
    for cell in notebook.cells:
        program = "placement_log.py" in cell.source or "messages" in cell.source
        if cell.cell_type == "code" and cell.metadata.course.role not in parts and not program:
            kept.append(cell)
    probe = nbformat.v4.new_code_cell(PROBE, id="probe")
    notebook.cells = [*kept, probe]
    alone = folder / "lesson.ipynb"
    nbformat.write(notebook, alone)
    done = run_notebook(alone, folder)
    assert done.errors() == {}
    return done


def printed(run: Run, words: str) -> str:
    """What the one cell with these words printed."""
    [cell] = [cell for cell in run.notebook.cells if words in cell.source and cell.id != "probe"]
    return run.text(cell.id)


@pytest.fixture(scope="module")
def said(run) -> dict:
    return json.loads(run.text("probe"))


def last_words(text: str) -> list[str]:
    return [line.split()[-1] for line in text.splitlines() if line.strip()]


def test_eager_ops_go_where_the_lesson_says(run):
    assert last_words(printed(run, "pinned = tf.matmul"))[:2] == [
        f"/job:localhost/replica:0/task:0/device:CPU:{index}" for index in (0, 2)
    ]
    assert last_words(printed(run, "weights.assign_add")) == ["CPU:1", "CPU:1", "CPU:2"]


def test_only_ops_with_a_kernel_would_be_on_a_gpu(run):
    text = printed(run, "for op, (op_type, dtype) in asked.items()")
    kinds = dict(line.rsplit("[", 1) for line in text.splitlines()[:6])
    assert {op.strip() for op, found in kinds.items() if "CPU" not in found} == {"NcclAllReduce"}
    assert not any("GPU" in found for op, found in kinds.items() if op.startswith(("MatMul int32", "String", "Decode")))


def test_soft_placement_decides_and_the_result_is_the_callers(run):
    lines = printed(run, "def add_there").splitlines()
    assert ["result on CPU:0" in line for line in lines[-4:]] == [True, True, False, False]
    assert last_words(printed(run, "called under CPU:3")) == ["CPU:0", "CPU:3"]


def test_the_switch_for_the_log_counts_only_before_the_first_op(said):
    assert not said["late log"]


def test_placements_are_the_same_under_default_settings(said):
    assert said["products under default settings"] == ["CPU:0", "CPU:2"]


def test_keras_layers_are_where_the_lesson_says(run, said):
    assert last_words(printed(run, "model(rows)"))[:4] == ["CPU:0"] * 4
    assert last_words(printed(run, "functional = tf.keras.Model")) == ["CPU:1", "CPU:1", "CPU:2", "CPU:2"]
    assert said["weights of a functional model travel"] == [True, True]
    assert said["moves of 4 columns"] == said["moves of 500 columns"] == 3


def test_the_backward_pass_has_more_products_and_no_pin(said):
    forward, backward = said["backward"]
    assert forward == ["CPU:1", "CPU:2"]
    assert len(backward) > len(forward) and set(backward) == {"CPU:0"}


def test_constants_follow_readers_and_variables_do_not(run, said):
    assert said["constant of one device"] == ["CPU:2", 0]
    assert said["constant of 16, two devices"][1] == 0
    assert said["constant of 17, two devices"] == ["CPU:0", 2]
    placed = dict(line.split()[::-1] for line in printed(run, 'name="constant"').splitlines())
    assert (placed["constant"], placed["variable"], placed["product"]) == ("CPU:1", "CPU:0", "CPU:1")


def test_a_tensor_travels_once_and_each_read_of_a_variable_is_a_tensor(said):
    assert said["transfers of a value, of a variable"] == [1, 3]


def test_constant_folding_leaves_no_product(run, said):
    assert "7, 2." in printed(run, "len(graph.get_operations())")
    assert said["products after constant folding"] == 0


def test_scopes_nest_as_the_lesson_says(run):
    assert last_words(printed(run, "p asks for")) == ["'/job:worker/task:1/device:CPU:2'", "'/job:worker/task:3'", "''"]
    assert last_words(printed(run, "def always_last")) == ["/device:CPU:1", "/device:CPU:3"]
    assert printed(run, "graph.colocate_with").startswith("'/device:CPU:2'")
