"""Honest work in the sandbox: all that lessons need works there, and one submission knows nothing of another."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import fcntl
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import nbformat
import psutil
import pytest

from autograder.authoring.answers import reference_answers, submission
from autograder.errors import CourseError
from autograder.grading.execute import WAS_KILLED
from autograder.grading.lesson import read_lesson
from autograder.grading.sandbox import (
    ColdKernels,
    Kernels,
    Resources,
    WarmKernels,
    bubblewrap,
    checker_process,
    choose_kernels,
    folders,
    kernels,
    not_for_submissions,
    probe,
    provisioner,
    watchdog,
)
from autograder.grading.sandbox.bubblewrap import Bubblewrap, system_paths
from autograder.grading.sandbox.inside import seccomp
from autograder.grading.sandbox.variables import ENVIRONMENT
from autograder.grading.sandbox.warm import MODULES, Template, imported, sweep
from autograder.paths import Course
from tests.grading.conftest import graded
from tests.grading.sandboxes import Traces, all_ok, own_temporary_folder, run_cells, said, statuses

pytestmark = pytest.mark.xdist_group("sandbox")


@pytest.fixture(scope="module")
def isolation(tmp_path_factory):
    tmp_path_factory.getbasetemp()  # pytest's own folders stay where they are
    found = probe()
    if not found.works:
        pytest.skip(found.problem)
    with own_temporary_folder():
        yield found


@pytest.fixture(scope="module")
def warm(isolation):
    if not isolation.forks:
        pytest.skip(isolation.forks_problem)
    with WarmKernels() as running:
        all_ok(*run_cells(running, "1"))  # the template starts with the first kernel
        yield running


@pytest.fixture(params=["warm", "cold"])
def sandbox(request, isolation):
    return request.getfixturevalue("warm") if request.param == "warm" else ColdKernels()


OPS = """
import tensorflow as tf
assert float(tf.reduce_sum(tf.ones((3, 3)) @ tf.ones((3, 3)))) == 27
@tf.function
def double(x): return 2 * x
assert int(double(tf.constant(4))) == 8
with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    queue = tf.queue.FIFOQueue(3, tf.int32)
    session.run(queue.enqueue_many([[1, 2]]))
    assert session.run(queue.dequeue()) == 1"""
FIT = """
import keras, numpy as np
model = keras.Sequential([keras.layers.Dense(4, activation="relu"), keras.layers.Dense(1)])
model.compile("sgd", "mse")
history = model.fit(np.ones((64, 3)), np.ones((64, 1)), epochs=3, verbose=0)
assert history.history["loss"][-1] < history.history["loss"][0]"""
SERVERS = """
import tensorflow as tf
cluster = {"ps": ["localhost:20001"], "worker": ["localhost:20002"]}  # free: nobody else is in this network
servers = [tf.distribute.Server(cluster, job_name=job) for job in cluster]
with tf.Graph().as_default():
    with tf.device("/job:ps/task:0"): a = tf.compat.v1.placeholder(tf.float32, ())
    with tf.device("/job:worker/task:0"): b = a * 2
    with tf.compat.v1.Session(servers[1].target) as session:
        assert session.run(b, {a: 21.0}) == 42"""
PROCESSES = """
import multiprocessing, os, subprocess, sys
fork = multiprocessing.get_context("fork")
with fork.Pool(3) as pool:
    assert pool.map(abs, range(-5, 0)) == [5, 4, 3, 2, 1]
queue = fork.Queue()
child = fork.Process(target=lambda: queue.put(os.getpid())); child.start()
assert queue.get(timeout=10) != os.getpid(); child.join()
assert subprocess.run([sys.executable, "-c", "print(6 * 7)"], capture_output=True, text=True).stdout == "42\\n"
open("module.py", "w").write("def f(x): return x + 1")
import module
for kind in ("spawn", "forkserver"):
    with multiprocessing.get_context(kind).Pool(1) as pool:
        assert pool.map(module.f, [1]) == [2]"""
CAPTURE = """
import ctypes, os, tempfile
with tempfile.TemporaryFile() as file:
    kept = os.dup(1); os.dup2(file.fileno(), 1)
    os.system("echo from a shell"); ctypes.CDLL(None).puts(b"from C"); ctypes.CDLL(None).fflush(None)
    os.dup2(kept, 1); os.close(kept); file.seek(0); text = file.read()
assert text == b"from a shell\\nfrom C\\n", text"""


@pytest.mark.few(1)
def test_what_lessons_do_works(sandbox):
    traces = Traces()
    shell = "words = !echo shell\nassert words == ['shell']"
    cells = (OPS, FIT, PROCESSES, CAPTURE, shell, SERVERS)
    executed, run = run_cells(sandbox, *cells, resources=Resources(), cell_seconds=60, notebook_seconds=200)
    all_ok(executed, run)
    traces.none_new()


def test_figures_and_output_arrive(sandbox):
    plot = "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()"
    # what another process prints takes its own way: a cell that has ended by then does not get it
    noise = "import os, sys, time\nprint('out'); print('err', file=sys.stderr)\n"
    noise += "os.system('echo fd'); time.sleep(1.5); 6 * 7"
    # TensorFlow's own handler was made before the kernel's streams were
    logged = "import logging, sys; log = logging.getLogger('tensorflow'); log.warning('careful')\n"
    logged += "assert all(handler.stream in (sys.stdout, sys.stderr) for handler in log.handlers), log.handlers"
    executed, run = run_cells(sandbox, plot, noise, logged)
    all_ok(executed, run)
    assert any("image/png" in output.get("data", {}) for output in executed.cells[0].outputs)
    printed = said(executed, 1)
    assert all(word in printed for word in ("out\n", "err\n", "fd\n")), printed
    assert "careful\n" in said(executed, 2)
    assert any(output.get("data", {}).get("text/plain") == "42" for output in executed.cells[1].outputs)


def test_a_file_of_a_learner_takes_no_known_modules_place(sandbox):
    code = "import pathlib\nfor name in ('calendar', 'own'): pathlib.Path(f'{name}.py').write_text('mine = 1')"
    executed, _ = run_cells(sandbox, code, "import calendar, own\nprint(hasattr(calendar, 'mine'), own.mine)")
    assert executed.cells[1].outputs[0]["text"] == "False 1\n"


def test_a_submission_sees_itself_alone(sandbox):
    code = """
import os, socket
assert os.getuid() == 1000 and os.listdir() == [] and os.environ["HOME"] == os.path.expanduser("~")
assert len([name for name in os.listdir("/proc") if name.isdigit()]) <= 3
assert [name for _, name in socket.if_nameindex()] == ["lo"]
status = dict(line.split(":\\t", 1) for line in open("/proc/self/status") if ":\\t" in line)
assert int(status["CapEff"], 16) == int(status["CapBnd"], 16) == 0
assert status["NoNewPrivs"].strip() == "1" and status["Seccomp"].strip() == "2"
print(sorted(os.environ))"""
    executed, run = run_cells(sandbox, code)
    all_ok(executed, run)
    plain = {"HOME", "LANG", "PATH", "SHELL", "TMPDIR", "USER", "PYTHONNOUSERSITE"}
    names = set(eval(said(executed)))
    usual = ("JPY_", "MPL", "PYDEVD_", "TERM", "CLICOLOR", "FORCE", "PAGER")
    added = {name for name in names if name.startswith(usual)}
    added |= {"GIT_PAGER", "TF2_BEHAVIOR", "LC_CTYPE", "KMP_DUPLICATE_LIB_OK", "KMP_INIT_AT_FORK"}
    assert names - plain - set(ENVIRONMENT) - added == set()


def test_little_waits_in_sockets_that_nobody_reads(warm):
    """TCP grows its buffers to some MB for each socket, of all the machine's, which no process is seen to have."""
    code = """
import socket
listener = socket.create_server(("127.0.0.1", 0))
writer = socket.create_connection(listener.getsockname())
reader, _ = listener.accept()
writer.setblocking(False)
waits = 0
try:
    while True: waits += writer.send(bytes(1 << 20))
except BlockingIOError: print(waits)"""
    notebook, _ = run_cells(warm, code)
    assert 60_000 < int(said(notebook)) < 500_000


def test_no_process_writes_to_the_memory_of_one(sandbox):
    code = """
import errno, os, subprocess, sys
program = '''
import errno, os
for owner in ("self", os.getpid(), os.getppid()):
    try:
        open(f"/proc/{owner}/mem", "r+b")
    except OSError as error:
        print(errno.errorcode[error.errno])
'''
exec(program)
print(subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout)
print(len(open("/proc/self/maps").read()) > 0, open("/proc/self/environ").read() != "")
print(open("/proc/self/oom_score_adj").read().strip())"""
    executed, run = run_cells(sandbox, code)
    all_ok(executed, run)
    *refused, shown, adjusted = said(executed).split("\n")[:-1]
    assert [word in ("EROFS", "EACCES") for word in refused if word] == [True] * 6, refused
    assert shown == "True True" and adjusted == "1000"


@pytest.mark.parametrize("environment", [".venv", "."])
def test_of_a_course_that_lies_in_what_is_bound_python_alone_is_seen(isolation, tmp_path, monkeypatch, environment):
    """As in a container with the course in /usr/src, or with an environment that was made in the course's folder."""
    if not isolation.works:
        pytest.skip(isolation.problem)
    course = tmp_path / "src" / "course"
    for name in (".git/packed", "solutions/answers", "classroom/gradebook.db", "class.zip"):
        (course / name).parent.mkdir(parents=True, exist_ok=True)
        (course / name).write_text("secret")
    for name in ("bin/tool", "lib/python/module.py", "pyvenv.cfg"):
        (course / environment / name).parent.mkdir(parents=True, exist_ok=True)
        (course / environment / name).write_text("python")
    exchange = course / environment / "share" / "exchange"
    (exchange / "inbound").mkdir(parents=True)
    (exchange / "inbound" / "work").write_text("secret")
    (course / "pyproject.toml").write_text(f'[tool.course]\nexchange = "{exchange}"\n')
    (tmp_path / "link").symlink_to(tmp_path / "src")
    bound = {str(tmp_path / "src"), str(tmp_path / "link"), str(course / environment)}
    paths = (*system_paths(), *sorted(bound))
    monkeypatch.setattr(bubblewrap, "system_paths", lambda: paths)
    code = f"grep -rE 'secret|python' {tmp_path}; touch {course}/new || echo kept"
    box = Bubblewrap(["/bin/sh", "-c", code], hidden=not_for_submissions(Course(course)))
    process, _ = box.start(stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    seen = process.communicate(timeout=30)[0].decode().splitlines()
    inside = {f"{course / environment / name}:python" for name in ("bin/tool", "lib/python/module.py", "pyvenv.cfg")}
    assert set(seen) == inside | {"kept"}


def test_kernels_draw_different_random_numbers(warm):
    code = "import random, numpy, keras\nrandom.random(), numpy.random.random(), float(keras.random.uniform(()))"
    results = (run_cells(warm, code)[0].cells[0].outputs[-1] for _ in range(2))
    first, second = (eval(result["data"]["text/plain"]) for result in results)
    assert len(first) == len(second) == 3 and not set(first) & set(second)


def test_a_kernel_can_be_interrupted_and_goes_on(sandbox):
    executed, run = run_cells(sandbox, "x = 1\nwhile True: pass", "assert x == 1; print('on')", cell_seconds=2)
    assert statuses(run) == ["timeout", "ok"] and said(executed, 1) == "on\n"


QUITS = """
import time
def double(x):
    time.sleep(0.2)
    if x < 0: quit()
    return 2 * x
exit()"""
ASIDE = """
import asyncio
async def twice(x): return 2 * x
def double(x): return asyncio.run(twice(x))"""


LOOP = """
import asyncio
async def twice(x): return 2 * x
def double(x):
    try:
        loop = asyncio.get_event_loop()
    except RuntimeError:
        loop = asyncio.new_event_loop()
        asyncio.set_event_loop(loop)
    return loop.run_until_complete(twice(x))"""
SHUTS_DOWN = """
import IPython
def double(x): return 2 * x
IPython.Application.instance().kernel.do_shutdown(True)"""


@pytest.mark.few(4)
@pytest.mark.parametrize(
    "answer", [QUITS, ASIDE, LOOP, SHUTS_DOWN], ids=["exit", "asyncio.run", "a loop", "do_shutdown"]
)
def test_exit_ends_no_kernel_and_no_loop_runs_as_in_a_notebooks_own_check(sandbox, sums, answer):
    """A moment after `exit()` the kernel ended, in a check of whatever stood below."""
    answers = reference_answers(sums) | {"double": answer}
    report = graded(submission(sums, answers), sums, sandbox).report
    assert report.automatic == (7, 7) and not report.flags and not report.problem


KILLED = """
import os, time
if not os.fork():
    time.sleep(1)
    os.kill(os.getppid(), {0})
    os._exit(0)
time.sleep(30)"""


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("sent", "flags"), [(signal.SIGKILL, [WAS_KILLED]), (signal.SIGTERM, [WAS_KILLED]), (signal.SIGABRT, [])]
)
def test_a_kernel_that_was_killed_is_looked_at_by_a_person(sandbox, sent, flags):
    _, run = run_cells(sandbox, KILLED.format(int(sent)), "1")
    assert statuses(run) == ["died", "ok"] and run.flags == flags


def test_the_provisioner_restarts_and_kills(sandbox, tmp_path):
    traces = Traces()

    async def use() -> None:
        manager = sandbox.manager(tmp_path, Resources(), 60)
        await manager.start_kernel(env=sandbox.variables({}))
        assert await manager.is_alive()
        assert await _value(manager, "x = 5") is None
        await manager.restart_kernel(now=True)
        assert await _value(manager, "'x' in globals()") == "False"
        provisioner = manager.provisioner
        await manager.signal_kernel(signal.SIGKILL)
        while await manager.is_alive():
            await asyncio.sleep(0.02)
        assert await provisioner.poll() is not None
        await manager.shutdown_kernel(now=True)
        assert not manager.has_kernel

    asyncio.run(use())
    traces.none_new()


async def _value(manager, code: str) -> str | None:
    """What a cell's last line is worth, as text."""
    client = manager.client()
    client.start_channels()
    try:
        await client.wait_for_ready(timeout=30)
        asked = {"it": code} if "=" not in code else {}
        reply = await client.execute("" if asked else code, user_expressions=asked, reply=True, timeout=30)
        return reply["content"]["user_expressions"].get("it", {}).get("data", {}).get("text/plain")
    finally:
        client.stop_channels()


AS_READ = {
    "from __future__ import barry_as_FLUFL": "",
    "def f(): return 1": "",
    "# a note\u2028%time 1\u2028f = 2": "",  # IPython parts lines where Python does not
    'def notes():\n    """Some\n    words."""\n    def f():\n        return 3\n    text = "a \\\n>>>     b"': "",
    "system('{globals().pop(\"f\")}')": "NameError",  # a magic without its sign
    "%%time\nwho('{globals().pop(\"f\")}')": "NameError",
    "\n    f = 4\n  f = 5": "IndentationError",
    " g = 7\nassert g == 7 and f() == 1": "",  # as in Colab
    "\n    def g(): return 4\\\n ": "",
    "  assert f() == 1": "",
    "%time x = 3\nassert x == 3 == f() + 2": "",
    "y = !echo 5\nassert y == ['5']": "",
    ">>> z = 6\n>>> assert z == 6": "",
    "\xa0\nimport asyncio\nawait asyncio.sleep(0)": "",
    "f?": "",
    "f = 5; 1 <> 2": "SyntaxError",  # of Python's own; a cell before it could let it through
    "assert f() == 1": "",
}


def test_a_text_that_is_python_runs_as_it_stands(sandbox):
    """What is read of a cell (``harmless``) is what runs; IPython gets what is no Python and has one of its signs."""
    _, run = run_cells(sandbox, *AS_READ)
    assert [record.ename for record in run.cells.values()] == [*AS_READ.values()]


def test_what_the_watchdog_cannot_watch_is_ended_and_is_no_result(sandbox, monkeypatch):
    traces = Traces()

    def broken(first, enough):
        raise RecursionError("too deep")

    monkeypatch.setattr(watchdog, "use_of", broken)
    with pytest.raises(CourseError, match=r"could not watch what it ran \(RecursionError: too deep\)"):
        run_cells(sandbox, "import time; time.sleep(20)", "1")
    traces.none_new()


GRADER = """
import sys
from autograder.grading.sandbox import ColdKernels, WarmKernels
from autograder.grading.sandbox.warm import Template
from tests.grading.sandboxes import run_cells
kernels = ColdKernels() if sys.argv[1] == "cold" else WarmKernels(template=Template(()))
run_cells(kernels, "import os; os.system('setsid sleep 98765 & sleep 98765')", cell_seconds=60)
"""


@pytest.mark.parametrize("kind", ["warm", "cold"])
def test_all_ends_with_a_grader_that_is_killed(isolation, course, kind):
    if kind == "warm" and not isolation.forks:
        pytest.skip(isolation.forks_problem)
    with tempfile.TemporaryDirectory(prefix="t-", dir="/tmp") as temporary:
        environment = os.environ | {"PYTHONPATH": str(course.root), "TMPDIR": temporary}
        grader = subprocess.Popen([sys.executable, "-c", GRADER, kind], env=environment, cwd=course.root)
        try:
            _until(lambda: len(_sleepers()) == 2, 60)
        finally:
            grader.kill()
            grader.wait()
        _until(lambda: not _sleepers(), 60)
        left = [path.name for path in Path(temporary).iterdir()]
        assert left and all(name.startswith(folders.PREFIX) for name in left), (
            "the next grader knows what it may remove"
        )


IMPORTS_FOR_EVER = """
import sys
from pathlib import Path
from autograder.grading.sandbox import folders, warm

def with_a_module(prefix, made=folders.private_folder):
    folder = made(prefix)
    (folder / "endless.py").write_text("import time; open('/run/box/begun', 'w'); time.sleep(98765)")
    print(folder, flush=True)
    return folder

folders.private_folder = with_a_module
warm.IMPORTING["PYTHONPATH"] = warm.BOX
warm.Template(("endless",)).start()
"""


def test_a_template_that_still_imports_ends_with_its_grader_at_once(isolation):
    if not isolation.forks:
        pytest.skip(isolation.forks_problem)
    grader = subprocess.Popen([sys.executable, "-c", IMPORTS_FOR_EVER], stdout=subprocess.PIPE, text=True)
    try:
        begun = Path(grader.stdout.readline().strip()) / "begun"
        _until(begun.exists, 60)
        below = psutil.Process(grader.pid).children(recursive=True)
        assert below
    finally:
        grader.kill()
        grader.communicate()
    left = psutil.wait_procs(below, timeout=60)[1]
    for process in left:
        process.kill()
    assert not left, "the import went on without a grader"


def _sleepers() -> list:
    return [p for p in psutil.process_iter(["cmdline"]) if p.info["cmdline"] == ["sleep", "98765"]]


def _until(holds, seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.05)


def test_folders_of_killed_graders_are_swept_away_and_no_others():
    made = "import sys, time; from autograder.grading.sandbox.folders import private_folder as f; print(f('kernel'))"
    here = os.environ | {"TMPDIR": tempfile.gettempdir()}
    graders = [
        subprocess.Popen(
            [sys.executable, "-c", f"{made}; sys.stdout.flush(); time.sleep(60)"], stdout=subprocess.PIPE, env=here
        )
        for _ in range(2)
    ]
    dead, alive = (Path(grader.stdout.readline().decode().strip()) for grader in graders)
    stranger = Path(tempfile.mkdtemp(prefix="course-of-mine-"))
    try:
        graders[0].kill()
        graders[0].wait()
        for path in (dead, alive, stranger):
            os.utime(path, (0, 0))
        sweep()
        assert [path.exists() for path in (dead, alive, stranger)] == [False, True, True]
    finally:
        graders[1].kill()
        for grader in graders:
            grader.wait()
            grader.stdout.close()
        sweep()
        assert not alive.exists()
        stranger.rmdir()


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root's boxes can be held at their start")
def test_a_box_whose_grader_was_killed_while_it_started_is_ended_by_the_next(warm, monkeypatch):
    numbers = []

    def killed(box, first):
        numbers.append(first)
        psutil.Process(first).parent().kill()

    with monkeypatch.context() as patch:
        patch.setattr(Bubblewrap, "_map_users", killed)
        with contextlib.suppress(OSError):
            Bubblewrap(["true"], ends_with_caller=True).start()[0].wait()
    alone = psutil.Process(numbers[0])
    with pytest.raises(psutil.TimeoutExpired):
        alone.wait(1)
    sweep()
    alone.wait(20)
    all_ok(*run_cells(warm, "1"))  # whose template is another such box, and held


def test_a_kernel_of_the_template_begins_with_everything_imported(warm):
    executed, run = run_cells(warm, "import sys; print('tensorflow' in sys.modules)")
    all_ok(executed, run)
    assert said(executed) == "True\n"


def test_a_template_that_died_is_started_again(isolation):
    if not isolation.forks:
        pytest.skip(isolation.forks_problem)
    with WarmKernels(template=Template(())) as running:
        all_ok(*run_cells(running, "1"))
        first = running.template.pid
        running.template._process.kill()
        running.template._process.wait()
        all_ok(*run_cells(running, "1"))
        assert running.template.pid != first


def test_what_a_lesson_does_not_import_no_template_waits_for(course):
    cells = ["import os, numpy as np\nif os:\n    from sklearn import datasets", "keras = 'the import of matplotlib'"]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in cells])
    assert imported(nbformat.writes(notebook)) == ("numpy", "sklearn.datasets")
    notebook.cells.append(nbformat.v4.new_code_cell("tf.keras.Model()"))
    assert imported(nbformat.writes(notebook)) == ("numpy", "keras", "sklearn.datasets")
    lessons = [imported(course.solution_notebook(name).read_text()) for name in course.lessons()]
    assert all({"numpy", "tensorflow"} <= set(modules) for modules in lessons)
    assert set().union(*lessons) == set(MODULES), "what no lesson imports need not be on the list"


@pytest.mark.few(1)
def test_lesson_01_scores_everything_inside(sandbox, course):
    lesson = read_lesson(course, course.lesson("01"))
    report = graded(submission(lesson, reference_answers(lesson)), lesson, sandbox).report
    points, of = report.automatic
    assert points == of > 0, [(check.name, check.message) for check in report.checks if not check.passed]
    assert not report.problem and report.notes == []


def test_without_isolation_it_is_refused_unless_that_is_accepted(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(CourseError, match="bubblewrap is not installed.*--unsafe"):
        choose_kernels()
    with choose_kernels(unsafe=True) as accepted:
        assert not accepted.isolated and "without isolation" in accepted.notice
    with choose_kernels(own_machine=True) as own:
        assert not own.isolated and "without isolation" in own.notice


def test_where_bubblewrap_may_not_make_namespaces_the_system_s_own_words_are_told(monkeypatch, tmp_path):
    fake = tmp_path / "bwrap"
    fake.write_text("#!/bin/sh\necho 'bwrap: setting up uid map: Permission denied' >&2\nexit 1\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    found = probe()
    assert not found.works and "namespaces" in found.problem and "AppArmor" in found.problem


def test_other_systems_are_told_that_isolation_needs_linux(monkeypatch):
    monkeypatch.setattr(sys, "platform", "darwin")
    assert "on Linux alone" in probe().problem


def test_the_notice_reaches_the_report(course):
    lesson = read_lesson(course, course.lesson("00"))
    answers = submission(lesson, {})
    report = graded(answers, lesson, Kernels(kernels.UNSAFE)).report
    assert kernels.UNSAFE in report.notes


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_every_jump_of_the_filter_lands_inside_it(machine, monkeypatch):
    monkeypatch.setattr("platform.machine", lambda: machine)
    program = seccomp.program()
    lines = [(program[at : at + 2], program[at + 2], program[at + 3]) for at in range(0, len(program), 8)]
    assert len(lines) < 4096
    for place, (_, yes, no) in enumerate(lines):
        assert place + 1 + max(yes, no) < len(lines) or (yes, no) == (0, 0)


def test_a_grader_with_many_open_files_sees_whether_a_kernel_lives():
    resource = pytest.importorskip("resource")
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    child = subprocess.Popen(["cat"], stdin=subprocess.PIPE)
    opened = os.pidfd_open(child.pid)
    kernel = provisioner.ColdProvisioner()
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(limits[0], 2048), limits[1]))
    try:
        kernel._first = fcntl.fcntl(opened, fcntl.F_DUPFD, 1500)
        assert asyncio.run(kernel.poll()) is None
        child.communicate()
        assert asyncio.run(kernel.poll()) == 1
        os.close(kernel._first)
    finally:
        os.close(opened)
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)


def nest(folder: Path, depth: int) -> None:
    """Folders in folders, more of them than a path can name or Python's own functions go down."""
    here = os.open(folder, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir("d" * 9, dir_fd=here)  # noqa: PTH102
        below = os.open("d" * 9, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)


def test_folders_that_are_nested_without_end_are_removed_and_swept_away(monkeypatch, tmp_path):
    monkeypatch.setattr(folders, "_temporary", lambda: tmp_path)
    mine = folders.private_folder("kernel")
    nest(mine, 3000)
    (mine / "closed").mkdir(0)
    folders.remove(mine)
    left = tmp_path / f"{folders.PREFIX}kernel-of-a-dead-grader"
    left.mkdir()
    nest(left, 3000)
    os.utime(left, (0, 0))
    sweep()
    assert not list(tmp_path.iterdir())


def test_a_folder_among_the_sockets_is_too_much_however_deep_it_is(tmp_path):
    watch = watchdog.Watchdog(os.getpid(), Resources(), 10, lambda: None, watchdog.Places(tmp_path))
    (tmp_path / "kernel-1").touch()
    assert watch._too_much(watchdog.Use()) == ""
    nest(tmp_path, 1500)
    assert "folder of the kernel's sockets" in watch._too_much(watchdog.Use())
    subprocess.run(["rm", "-rf", str(tmp_path / ("d" * 9))], check=True)
    for number in range(256):
        (tmp_path / str(number)).touch()
    assert "folder of the kernel's sockets" in watch._too_much(watchdog.Use())


def test_where_no_more_files_can_be_opened_nobody_has_looked(monkeypatch, tmp_path):
    """It is the machine's fault: the learner is not to blame, and what nobody watches may not go on."""
    ended = []
    watch = watchdog.Watchdog(os.getpid(), Resources(), 10, lambda: ended.append(1), watchdog.Places(tmp_path))

    def full(path):
        raise OSError(errno.EMFILE, "Too many open files")

    with monkeypatch.context() as patched:
        patched.setattr(os, "scandir", full)
        with pytest.raises(OSError, match="Too many open files"):
            watch._too_much(watchdog.Use())
    monkeypatch.setattr(watchdog, "_bytes", full)
    watch.start()
    watch.join(5)
    with pytest.raises(CourseError, match="could not watch what it ran .*Too many open files"):
        watch.verdict()
    assert ended == [1]


def test_a_watchdog_that_was_stopped_ends_nothing_more(monkeypatch):
    """What it would end by may be closed by then, and its number another's."""
    ended, looking, stopped = [], threading.Event(), threading.Event()

    def slow(first, enough):
        looking.set()
        stopped.wait(5)
        return watchdog.Use(processes=enough + 1)

    monkeypatch.setattr(watchdog, "use_of", slow)
    watch = watchdog.Watchdog(os.getpid(), Resources(), 10, lambda: ended.append(1))
    watch.start()
    assert looking.wait(5)
    watch.stop()
    stopped.set()
    watch.join(5)
    assert "processes" in watch.reason and ended == []


def test_of_a_template_that_has_ended_nothing_is_made(monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    ended = Template(())
    with pytest.raises(OSError, match="the template has ended"):
        checker_process.forked(ended)
    with pytest.raises(OSError, match="the template has ended"):
        provisioner.WarmProvisioner(template=ended)._make_folder()
    ended.folder = tmp_path  # it ended just now, and nobody listens there
    with pytest.raises(OSError, match="No such file"):
        checker_process.forked(ended)
    assert not list(tmp_path.iterdir())


def test_a_kernel_that_never_reads_what_it_is_told_is_an_error_in_time(monkeypatch):
    monkeypatch.setattr(provisioner, "START_SECONDS", 0.5)
    cold = provisioner.ColdProvisioner()
    cold._process = subprocess.Popen(["sleep", "60"], stdin=subprocess.PIPE)
    try:
        with pytest.raises(RuntimeError, match="does not read"):
            cold._hand_over(b"x" * 1_000_000)  # more than a pipe holds
    finally:
        cold._process.kill()
        cold._process.wait()
        cold._process.stdin.close()


def test_sockets_of_others_end_no_plain_checker(monkeypatch):
    """Where there is no network of its own, those of the whole machine are counted."""
    if sys.platform != "linux":
        pytest.skip("nothing is watched elsewhere")
    monkeypatch.setattr(watchdog, "_sockets", lambda number: 1_000_000)
    running = checker_process.plain()
    try:
        time.sleep(5 * watchdog.INTERVAL)
        running.send({"devices": 0, "seed": 0})
        assert running.receive() == {"ready": True}
    finally:
        running.end()
