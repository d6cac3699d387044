"""The checker's process: what a learner's graph can do to it, and that its end is one check's affair."""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import sys
import threading
import time
from dataclasses import replace
from types import SimpleNamespace

import nbformat
import psutil
import pytest

from autograder.grading.checks import judge as judging
from autograder.grading.checks.channel import Channel
from autograder.grading.checks.codec import decode, encode
from autograder.grading.checks.judge import Judge
from autograder.grading.execute import Options, execute
from autograder.grading.sandbox import ColdKernels, Kernels, WarmKernels, probe
from autograder.grading.sandbox import checker_process as sandbox_checkers
from autograder.grading.sandbox.resources import MIB
from autograder.grading.sandbox.warm import Template
from autograder.grading.text import clean

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("checker")]
isolated = pytest.mark.skipif(not probe().works, reason="submissions cannot be isolated here")
posix = pytest.mark.skipif(sys.platform == "win32", reason="processes are forked, and signals are POSIX's")

IMPORTED = """
import tensorflow as tf
with tf.Graph().as_default() as graph:
    tf.import_graph_def(tf.compat.v1.GraphDef.FromString(answer()), name="")
with tf.compat.v1.Session(graph=graph) as session:
    value = session.run("out:0")
"""


class Values(Channel):
    """A learner's kernel in short: names and what calling them gives; no process, no lies."""

    def __init__(self, **names) -> None:
        self.names = names

    async def ask(self, question, deadline, code="") -> str:
        asked = decode(question)
        if asked[0] == "look":
            return encode(("found", tuple((n, "callable" if n in self.names else "missing") for n in asked[1])))
        try:
            return encode(("returned", self.names[asked[1]](*asked[2], **asked[3])))
        except Exception as error:
            return encode(("raised", error))


def judge(checkers, *sources, seconds=30.0, role="hidden", devices=True, seed=0, solution=None, **names):
    """Judge these checks of one submission in turn, all of the exercise `double`; the outcomes."""

    async def run():
        about = {"devices": 4 if devices else 0, "seed": 0}
        notebook = nbformat.v4.new_notebook(metadata={"course": about})
        judge, outcomes = Judge(notebook, checkers, seed, solution), []
        for number, source in enumerate(sources):
            course = {"role": role, "exercise": "double"}
            cell = nbformat.v4.new_code_cell(source, id=f"double-{number}", metadata={"course": course})
            outcomes.append((await judge.judge(cell, Values(**names), seconds)).run)
        await judge.close()
        return outcomes

    return asyncio.run(run())


def graph_bytes(build) -> bytes:
    tf = pytest.importorskip("tensorflow")
    with tf.Graph().as_default() as graph:
        build(tf)
    return graph.as_graph_def().SerializeToString()


@pytest.fixture(scope="module")
def checkers():
    with WarmKernels() if probe().forks else Kernels() as made:
        yield made


ways = pytest.mark.parametrize("way", ["plain", pytest.param("boxed", marks=isolated)])


def without_fork(way: str) -> Kernels:
    return Kernels() if way == "plain" else ColdKernels()


def children():
    """Every process that this one has started, and that lives."""
    return psutil.Process().children(recursive=True)


def gone(processes) -> bool:
    return not psutil.wait_procs(processes, timeout=20)[1]  # at once, unless the machine is busy


def test_passing_failing_and_broken_checks(checkers):
    texts = ["assert double(2) == 4", "assert double(2) == 5, 'five'", "assert twice(2)", "1 / 0", "def broken(:"]
    outcomes = judge(checkers, *texts, double=lambda x: 2 * x)
    assert [outcome.ended for outcome in outcomes] == ["ok", "error", "error", "error", "error"]
    assert [o.ename for o in outcomes[1:]] == ["AssertionError", "NameError", "ZeroDivisionError", "SyntaxError"]
    assert outcomes[1].evalue == "five" and outcomes[2].evalue == "name 'twice' is not defined"


def test_what_a_check_prints_or_logs_decides_nothing(checkers):
    noisy = "import sys, os, logging\nprint('x' * 10**6)\nlogging.error('x')\nsys.stderr.write('x')\nos.write(1, b'{}')"
    assert judge(checkers, noisy + "\nassert double(1) == 2", double=lambda x: 2 * x)[0].ended == "ok"


def test_a_check_that_catches_everything_cannot_swallow_a_missing_answer(checkers):
    class Silent(Values):
        async def ask(self, question, deadline, code=""):
            if "call" in question:
                raise judging.ChannelFailure("nonsense", "no sense")
            return await super().ask(question, deadline)

    async def run():
        judge = Judge(nbformat.v4.new_notebook(), checkers)
        text = "try:\n    double(1)\nexcept BaseException:\n    pass"
        cell = nbformat.v4.new_code_cell(text, metadata={"course": {"role": "check"}})
        outcomes = [(await judge.judge(cell, kernel, 30)).run for kernel in (Silent(double=lambda x: x), Values())]
        await judge.close()
        return outcomes

    first, second = asyncio.run(run())
    assert (first.ended, first.evalue) == ("no verdict", "no sense")
    assert second.ended == "ok"  # the next check has a checker of its own


def test_questions_that_cannot_travel_are_the_lessons_fault(checkers):
    (outcome,) = judge(checkers, "double(lambda: 0)", double=lambda x: x)
    assert outcome.ended == "no verdict" and "cannot be passed to a learner's function" in outcome.evalue


def raises(error):
    def function(*_):
        raise error

    return function


def named(name, *bases):
    """A learner's class of this name."""
    return type(name, bases or (Exception,), {"__module__": "__main__"})


@pytest.mark.parametrize("name", ["CodecError", "UnsupportedValue", "RefusedGraph", "NoAnswer", "BrokenReference"])
def test_a_learners_error_is_the_learners_whatever_its_name(checkers, name):
    (outcome,) = judge(checkers, "double(1)", double=raises(named(name)("nothing to travel")))
    assert (outcome.ended, outcome.ename, outcome.origin) == ("error", name, "learner")
    assert outcome.evalue == "nothing to travel"


WHO = {  # a check's text, and who raised what it ends with
    "assert double(2) == 5": "check",
    "double(2)['value']": "check",
    "raise NotImplementedError('write this exercise first')": "check",
    "fails(1)": "learner",
    "try:\n    fails(1)\nexcept ValueError:\n    raise": "learner",
    "try:\n    fails(1)\nexcept ValueError as error:\n    assert False, str(error)": "check",
    "try:\n    fails(1)\nexcept ValueError as error:\n    raise KeyError from error": "check",
    "claims(1)": "learner",
    "strange(1) + 1": "value",
    "double(strange(1))": "value",
    "double(len)": "lesson",
}


@pytest.mark.parametrize("text", WHO)
def test_who_raised_an_error_is_told_apart(checkers, text):
    names = {"double": lambda x: 2 * x, "strange": lambda x: object(), "fails": raises(ValueError("no"))}
    (outcome,) = judge(checkers, text, claims=raises(AssertionError("got: 1\nlikely: the check is wrong")), **names)
    if WHO[text] == "lesson":
        assert outcome.ended == "no verdict" and "This is the lesson's fault" in outcome.evalue
    else:
        assert (outcome.ended, outcome.origin) == ("error", WHO[text])
        assert "lesson's fault" not in outcome.evalue


@pytest.mark.parametrize("found", [("found", (("other", "callable"),)), ("found", ((),)), ("raised", "no error")])
def test_an_answer_to_another_question_is_nonsense_and_no_error_of_anybody(checkers, found):
    class Liar(Values):
        async def ask(self, question, deadline, code=""):
            return encode(found)

    async def run():
        judge = Judge(nbformat.v4.new_notebook(), checkers)
        cell = nbformat.v4.new_code_cell("double(1)", metadata={"course": {"role": "hidden"}})
        outcome = (await judge.judge(cell, Liar(), 30)).run
        await judge.close()
        return outcome

    outcome = asyncio.run(run())
    assert outcome.ended == "no verdict" and "makes no sense" in outcome.evalue


def solution_of(*cells):
    """An instructor's notebook: pairs of a role and a text; the last is the solution of `double`."""
    made = [nbformat.v4.new_code_cell(text, metadata={"course": {"role": role}}) for role, text in cells]
    made[-1].id = "double"
    return nbformat.v4.new_notebook(cells=made)


SOLUTION = solution_of(
    ("code", "import math\nFACTOR = 2\nprint(missing)\nx = no_such_function()"),
    ("include", "%%bash\necho"),
    ("code", "def times(x, factor=FACTOR):\n    return math.prod([x, factor])"),
    ("solution", "### BEGIN SOLUTION\ndef double(x):\n    return times(x)\n### END SOLUTION"),
)
COMPARES = """
for _ in range(5):
    x = draw.randrange(10**6)
    got, right = double(x), reference.double(x)
    assert got == right, f"asked:    double({x})\\ngot:      {got}\\nexpected: {right}"
"""


def test_a_hidden_check_draws_from_the_seed_and_its_name_and_compares_with_the_reference(checkers):
    asked = []

    def double(x):
        asked.append(x)
        return 2 * x

    for seed in (1, 1, 2):
        outcomes = judge(checkers, COMPARES, COMPARES, seed=seed, solution=SOLUTION, double=double)
        assert [outcome.ended for outcome in outcomes] == ["ok", "ok"]
    one, again, other = asked[:10], asked[10:20], asked[20:]
    assert one == again and not set(one) & set(other) and not set(one[:5]) & set(one[5:])
    (outcome,) = judge(checkers, COMPARES, solution=SOLUTION, double=lambda x: x * x)
    assert outcome.origin == "check" and outcome.evalue.count("asked:") == 1  # one case is shown, not all


def test_a_learner_who_defines_both_names_changes_nothing(checkers):
    names = {"draw": lambda *_: 0, "reference": lambda *_: 0, "double": lambda x: 0}
    (outcome,) = judge(checkers, COMPARES, solution=SOLUTION, **names)
    assert outcome.ended == "error" and "expected: 0" not in outcome.evalue


def test_only_a_hidden_check_has_the_two_names(checkers):
    (outcome,) = judge(checkers, "draw.random()", role="check", solution=SOLUTION)
    assert outcome.ename == "NameError"


def test_values_travel_to_the_reference_and_back_as_to_the_learner(checkers):
    solution = solution_of(("solution", "import numpy as np\ndef double(x):\n    x.append(1)\n    return np.array(x)"))
    text = "x = [1]\nmine, right = double(x), reference.double(x)\nassert x == [1] and type(mine) is type(right)"
    assert judge(checkers, text, solution=solution, double=lambda x: __import__("numpy").array(x))[0].ended == "ok"


BROKEN_REFERENCES = {
    "it does not compile": ("def double(x): return (", "SyntaxError"),
    "it fails when it is called": ("def double(x): return 1 / 0", "ZeroDivisionError"),
    "it has no such function": ("def twice(x): return 2 * x", "no function 'double'"),
}


@pytest.mark.parametrize("what", BROKEN_REFERENCES)
def test_a_reference_that_fails_is_the_lessons_fault(checkers, what):
    text, words = BROKEN_REFERENCES[what]
    (outcome,) = judge(checkers, COMPARES, solution=solution_of(("solution", text)), double=lambda x: 2 * x)
    assert outcome.ended == "no verdict" and words in outcome.evalue and "This is the lesson's fault" in outcome.evalue


def test_an_error_that_the_reference_means_to_raise_can_be_compared(checkers):
    solution = solution_of(("solution", "def double(x):\n    raise ValueError('too large')"))
    text = "try:\n    reference.double(1)\nexcept ValueError as error:\n    assert str(error) == 'too large'"
    assert judge(checkers, text, solution=solution)[0].ended == "ok"


def test_devices_and_seed_are_as_the_first_cell_makes_them(checkers):
    text = "import tensorflow as tf\nassert len(tf.config.list_logical_devices('CPU')) == 4"
    text += "\nwith tf.device('CPU:3'):\n    assert tf.constant(1.).device.endswith('CPU:3')"
    assert judge(checkers, text)[0].ended == "ok"


def test_an_honest_graph_runs(checkers):
    data = graph_bytes(lambda tf: tf.add(1.0, 2.0, name="out"))
    assert judge(checkers, IMPORTED + "assert value == 3", answer=lambda: data)[0].ended == "ok"


def test_a_graph_that_prints_for_its_author_runs(checkers):
    def build(tf):
        with tf.control_dependencies([tf.print("here")]):
            tf.add(1.0, 2.0, name="out")

    data = graph_bytes(build)
    assert judge(checkers, IMPORTED + "assert value == 3", answer=lambda: data)[0].ended == "ok"


REFUSED = {
    "WriteFile": lambda tf: tf.group(tf.io.write_file("/tmp/written", "x"), tf.constant(1, name="out")),
    "ReadFile": lambda tf: tf.io.read_file("/etc/passwd", name="out"),
    "PyFunc": lambda tf: tf.compat.v1.py_func(lambda: 1.0, [], tf.float32, name="out"),
    "PrintV2 that prints into a file": lambda tf: tf.group(
        tf.print("x", output_stream="file:///tmp/written"), tf.constant(1, name="out")
    ),
    "SaveV2": lambda tf: tf.group(
        tf.raw_ops.SaveV2(prefix="/tmp/w", tensor_names=["a"], shape_and_slices=[""], tensors=[1.0])
    ),
    "MatchingFiles": lambda tf: tf.io.matching_files("/etc/*", name="out"),
    "TextLineDataset": lambda tf: tf.compat.v1.data.TextLineDataset("/etc/passwd"),
    "ImmutableConst": lambda tf: tf.raw_ops.ImmutableConst(dtype=tf.int8, shape=[1], memory_region_name="/etc/passwd"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_graphs_that_reach_beyond_themselves_are_refused_in_words(checkers, kind):
    data = graph_bytes(REFUSED[kind])
    (outcome,) = judge(checkers, IMPORTED, answer=lambda: data)
    assert outcome.origin == "value" and f"your graph has an op of type {kind}" in outcome.evalue
    assert "Build the graph without it." in outcome.evalue


def test_a_graph_that_arrives_as_one_is_refused_in_words_wherever_it_is_used(checkers):
    tf = pytest.importorskip("tensorflow")
    with tf.Graph().as_default() as graph:
        tf.io.read_file("/etc/passwd", name="out")
    texts = ["import tensorflow as tf\ntf.compat.v1.Session(graph=answer())", "answer().get_operations()"]
    for outcome in judge(checkers, *texts, answer=lambda: graph):
        assert outcome.origin == "value" and "has an op of type ReadFile" in outcome.evalue
        assert outcome.evalue.endswith("Build the graph without it.")


def test_an_op_hidden_in_a_function_of_a_graph_is_refused_too(checkers):
    def build(tf):
        tf.identity(tf.function(lambda: tf.io.read_file("/etc/passwd"))(), name="out")

    data = graph_bytes(build)
    (outcome,) = judge(checkers, IMPORTED, answer=lambda: data)
    assert outcome.origin == "value" and "ReadFile" in outcome.evalue


SHOW_MEMORY = """
import tensorflow as tf

ops = {
    "FakeParam": lambda: tf.raw_ops.FakeParam(dtype=tf.uint8, shape=[size]),
    "RFFT": lambda: tf.bitcast(tf.raw_ops.RFFT(input=tf.zeros([4, 0]), fft_length=[size // 20]), tf.uint8),
    "Conv3DBackpropInputV2": lambda: tf.bitcast(tf.raw_ops.Conv3DBackpropInputV2(
        input_sizes=[1, size // 16, 1, 1, 4], filter=tf.zeros([1, 1, 1, 4, 0]),
        out_backprop=tf.zeros([1, size // 16, 1, 1, 0]), strides=[1] * 5, padding="SAME"), tf.uint8),
}
for size in (800, 2000, 20_000, 98_000):
    for name, op in ops.items():
        for again in range(10):
            texts = [bytearray(b"a hidden check, " * (size // 16)) for _ in range(50)]
            del texts
            assert b"hidden" not in op().numpy().tobytes(), f"{name} shows memory, {size} bytes"
"""


@pytest.mark.skipif(sys.platform != "linux", reason="of glibc")
def test_no_op_shows_what_the_checker_has_freed(checkers):
    """A graph could quote it, and it may be the text of a hidden check."""
    (outcome,) = judge(checkers, SHOW_MEMORY)
    assert outcome.ended == "ok", outcome.evalue


def test_a_graph_without_end_is_stopped(checkers):
    def build(tf):
        queue = tf.queue.FIFOQueue(1, tf.float32, shapes=[[]])
        tf.identity(queue.dequeue(), name="out")

    data, start = graph_bytes(build), time.monotonic()
    outcomes = judge(checkers, IMPORTED, "assert 1", seconds=3, answer=lambda: data)
    assert outcomes[0].ended == "timeout" and "may wait without end" in outcomes[0].evalue
    assert outcomes[1].ended == "ok" and time.monotonic() - start < 15


@posix
def test_a_crash_of_the_checker_costs_one_check(checkers):
    outcomes = judge(checkers, "import os\nos.abort()", "assert 1", "import os\nos._exit(0)", "assert 1")
    assert [outcome.ended for outcome in outcomes] == ["no verdict", "ok", "no verdict", "ok"]
    assert "ended (signal 6)" in outcomes[0].evalue and "ended (exit status 0)" in outcomes[2].evalue


@pytest.mark.skipif(sys.platform != "linux", reason="memory is watched through /proc")
def test_a_check_that_takes_all_memory_is_ended(checkers, monkeypatch):
    monkeypatch.setattr(sandbox_checkers, "CHECKER", replace(sandbox_checkers.CHECKER, memory_bytes=1024 * MIB))
    data = graph_bytes(lambda tf: tf.reduce_sum(tf.fill([5_000_000_000], 1.0), name="out"))
    outcomes = judge(checkers, IMPORTED, "assert 1", answer=lambda: data)
    assert outcomes[0].ended in ("no verdict", "error") and outcomes[1].ended == "ok"
    assert "memory" in outcomes[0].evalue or outcomes[0].ename == "ResourceExhaustedError"


@isolated
def test_a_template_killed_in_the_middle_of_a_run_costs_nobody_a_point(tmp_path):
    """Its kernel goes with it, without any fault of the learner's: the notebook runs once more."""
    code = "import time\ntime.sleep(3)\nanswer = 42"
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code, metadata={"course": {"role": "added"}})])
    with WarmKernels(template=Template(())) as kernels:
        kernels.template.start()
        first = kernels.template.pid
        timer = threading.Timer(2, lambda: psutil.Process(first).kill())
        timer.start()
        executed = execute(notebook, Options(kernels=kernels))
        timer.cancel()
        assert kernels.template.pid != first, "it was killed, and another took its place"
    assert executed.problem == "" and [cell.ended for cell in executed.cells.values()] == ["ok"]


def test_a_checker_is_ended_however_its_start_went(monkeypatch):
    ended = []

    def full(content):
        raise MemoryError

    kernels = Kernels()
    monkeypatch.setattr(kernels, "checker", lambda _seconds: SimpleNamespace(send=full, end=ended.append))

    async def use() -> None:
        judge = Judge(nbformat.v4.new_notebook(), kernels)
        judge.begin()
        with pytest.raises(MemoryError):
            await judge.close()

    asyncio.run(use())
    assert ended == [False]


@isolated
def test_nothing_is_left_and_a_killed_template_is_replaced():
    before, killed = children(), []

    def started():
        return [process for process in children() if process not in before]

    def ends_all():
        for process in started():
            with contextlib.suppress(psutil.Error):
                process.kill()
        killed.append(True)
        return True

    with WarmKernels(template=Template(())) as kernels:
        assert judge(kernels, "assert 1", devices=False)[0].ended == "ok"
        ends_all()
        assert judge(kernels, "assert 1", devices=False)[0].ended == "ok"
        killed.clear()
        text = "end()\nassert 1"
        assert judge(kernels, text, devices=False, end=lambda: killed or ends_all())[0].ended == "ok"
        assert not list(kernels.template.folder.glob("checker-*"))
        mine = started()
    assert mine and gone(mine)


@pytest.mark.few(1)
@ways
def test_without_fork_each_submission_has_a_process_of_its_own(way):
    cold, before = without_fork(way), children()
    data = graph_bytes(lambda tf: tf.add(1.0, 2.0, name="out"))
    names = {"double": lambda x: 2 * x, "answer": lambda: data}
    outcomes = judge(cold, "assert double(2) == 4", IMPORTED + "assert value == 3", **names)
    assert [outcome.ended for outcome in outcomes] == ["ok", "ok"]
    stuck = judge(cold, "import time\nwhile True: time.sleep(1)", "assert 1", seconds=2, devices=False)
    assert [outcome.ended for outcome in stuck] == ["timeout", "ok"]
    crashed = judge(cold, "import os\nos.abort()", "assert 1", devices=False)
    assert [outcome.ended for outcome in crashed] == ["no verdict", "ok"] and "(signal 6)" in crashed[0].evalue
    assert gone([process for process in children() if process not in before])


@pytest.mark.few(1)
@ways
@pytest.mark.skipif(sys.platform != "linux", reason="memory is watched through /proc")
def test_a_check_that_takes_all_memory_is_ended_without_fork_too(way, monkeypatch):
    monkeypatch.setattr(sandbox_checkers, "CHECKER", replace(sandbox_checkers.CHECKER, memory_bytes=512 * MIB))
    (outcome,) = judge(without_fork(way), "x = [1]\nwhile True: x = x * 2", seconds=60, devices=False)
    assert outcome.ended == "no verdict" and "(out of memory)" in outcome.evalue


def test_a_lesson_without_tensorflow_has_a_checker_that_loads_it_when_asked(tmp_path):
    text = "import sys\nassert not any(name.startswith('tensor') for name in sys.modules)"
    assert judge(Kernels(), text, devices=False)[0].ended == "ok"
    data = graph_bytes(REFUSED["ReadFile"])
    (outcome,) = judge(Kernels(), IMPORTED, devices=False, answer=lambda: data)
    assert outcome.origin == "value" and "ReadFile" in outcome.evalue


@isolated
def test_checkers_end_with_a_grader_that_is_killed(tmp_path):
    script = """
import sys, time
from autograder.grading.execute import Options, execute
from autograder.grading.sandbox import ColdKernels, Kernels, WarmKernels
from autograder.grading.sandbox.warm import Template
held = [kernels.checker() for kernels in (WarmKernels(template=Template(())), ColdKernels(), Kernels())]
for checker in held:
    checker.send({"devices": 0, "seed": 0})
    assert checker.receive() == {"ready": True}
    checker.send({"check": "import time\\nwhile True: time.sleep(1)", "names": []})
print("ready", flush=True)
time.sleep(60)
"""
    grader = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, cwd=tmp_path)
    assert grader.stdout.readline() == b"ready\n"
    started = psutil.Process(grader.pid).children(recursive=True)
    assert len(started) >= 6
    grader.kill()
    grader.wait()
    grader.stdout.close()
    assert gone(started), [process.cmdline() for process in started if process.is_running()]


@isolated
def test_the_checker_sees_neither_the_course_nor_a_network(checkers, course, tmp_path):
    (tmp_path / "gradebook.db").write_text("grades")
    text = f"""
import os, pathlib, socket
assert not os.path.exists({str(course.solutions)!r}), "the sources"
assert not os.path.exists({str(tmp_path / "gradebook.db")!r}), "other files"
assert [name for _, name in socket.if_nameindex()] == ["lo"], "a network"
assert os.environ["HOME"] == "/learner", dict(os.environ)
assert [name for name in os.listdir("/proc") if name.isdigit()] == ["1", "2"], "other processes"
assert os.getuid() != 0 and open("/proc/self/status").read().count("CapEff:\\t0000000000000000") == 1, "rights"
for path in ("/usr/written", "/run/written", "/etc/written"):
    try:
        pathlib.Path(path).write_text("x")
    except OSError:
        continue
    assert False, path
"""
    (outcome,) = judge(checkers, text)
    assert outcome.ended == "ok", outcome


def test_words_that_cannot_be_written_are_cleaned():
    assert clean("a\ud800\x1b[31m\x00é\n") == "a��[31m�é\n"
    assert clean(SimpleNamespace()) == ""
