"""What code of a stranger does to the run: nothing but its own record."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from itertools import chain, repeat

import nbformat
import psutil
import pytest
from jupyter_client.manager import AsyncKernelManager

from autograder.errors import CourseError
from autograder.grading import execute as execute_module
from autograder.grading.execute import KERNELS, Limits, Options, execute
from autograder.grading.sandbox import Kernels, watchdog
from tests.conftest import ROOT


def run(*sources, grading=None, **limits):
    notebook = nbformat.v4.new_notebook()
    for index, text in enumerate(sources):
        course = {"role": "added"} | ({"grading": grading[index]} if grading and grading[index] else {})
        notebook.cells.append(nbformat.v4.new_code_cell(text, id=f"c{index}", metadata={"course": course}))
    result = execute(notebook, Options(Limits(**limits)))
    assert all(cell.outputs == [] for cell in notebook.cells), "the notebook that was given must stay as it is"
    return result.notebook, result


def statuses(result):
    return [record.ended for record in result.cells.values()]


def test_errors_end_their_own_cell_only():
    executed, result = run(
        "1 + 1", "1 / 0", "raise SystemExit", "input()", "raise KeyboardInterrupt", "", "import sys; sys.exit(1)", "2"
    )
    assert statuses(result) == ["ok", "error", "error", "error", "error", "ok", "error", "ok"]
    assert result.cells["c1"].ename == "ZeroDivisionError" and result.problem == ""
    assert executed.cells[7].outputs[0].data["text/plain"] == "2"


def test_an_error_that_hides_itself_is_still_an_error():
    _, result = run("get_ipython().showtraceback = lambda *a, **k: None", "assert False, 'told'")
    assert statuses(result) == ["ok", "error"]
    assert result.cells["c1"].evalue == "told"


def test_skipped_cells_are_not_run():
    _, result = run("x = 1", "x = 2", "assert x == 1", grading=[None, "skip", None])
    assert statuses(result) == ["ok", "skipped", "ok"]


def test_skipped_cells_bring_what_they_import_and_their_functions():
    shown, result = run("import math\ndef half(x): return x / 2\n1 / 0", "half(math.pi)", grading=["skip", None])
    assert statuses(result) == ["skipped", "ok"]
    assert not shown.cells[0].outputs and shown.cells[0].execution_count is None


def test_a_cell_that_takes_too_long_is_interrupted():
    _, result = run("import time; time.sleep(60)", "1", cell_seconds=1)
    assert statuses(result) == ["timeout", "ok"] and "1 s" in result.cells["c0"].evalue


@pytest.mark.slow
def test_a_cell_that_cannot_be_interrupted_is_left_out():
    """A try cell that waits without end cost all exercises below it."""
    stubborn = "import time\nwhile True:\n    try: time.sleep(60)\n    except KeyboardInterrupt: pass"
    _, result = run(stubborn, "1", cell_seconds=1)
    assert statuses(result) == ["timeout", "ok"] and result.flags == []
    assert result.problem.endswith("could not be stopped; the cells after it ran without it.")


def test_the_whole_notebook_has_a_limit():
    _, result = run(*["import time; time.sleep(0.9)"] * 4, notebook_seconds=2, cell_seconds=30)
    assert result.cells["c0"].ended == "ok" and result.cells["c3"].ended == "not run"
    assert "did not finish in 2 s" in result.problem


def test_a_cell_that_ends_the_kernel_is_left_out():
    _, result = run("x = 1", "import os; os._exit(0)", "x + 1")
    assert statuses(result) == ["ok", "died", "ok"]
    assert result.problem == (
        "The kernel died in the cell that begins with `import os; os._exit(0)`; the cells after it ran without it."
    )


@pytest.mark.parametrize("ends", ["exit()", "print(exit)\nquit()", "get_ipython().exit_now = True"])
def test_a_kernel_does_not_end_a_moment_after_exit_in_whatever_runs_then(ends):
    _, result = run("x = 1", ends, "import time; time.sleep(0.5)", "x + 1")
    assert statuses(result) == ["ok"] * 4 and not result.problem


@pytest.mark.parametrize(
    ("ends", "flags"),
    [("os.kill(os.getpid(), 9)", 1), ("os.kill(os.getpid(), 15)", 1), ("os._exit(1)", 0), ("os.abort()", 0)],
)
def test_a_kernel_that_was_killed_is_looked_at_by_a_person(ends, flags):
    """The system ends processes so, and people do: a notebook's own code is not to be told from them."""
    _, result = run("import os", ends, "1")
    assert statuses(result) == ["ok", "died", "ok"] and len(result.flags) == flags
    assert all(flag == execute_module.WAS_KILLED for flag in result.flags)


def test_where_cells_may_take_longer_the_notebook_may_too():
    assert Limits.of_a_cell(600).notebook_seconds == 3000
    assert Limits.of_a_cell(10).notebook_seconds == Limits.of_a_cell(60).notebook_seconds == Limits().notebook_seconds


def test_what_a_given_up_cell_still_says_is_taken_by_one_reader():
    """nbclient goes on reading for a cell that was given up; a second reader waited without end for what it took."""
    drops_one = """
kernel = get_ipython().kernel
say, kept = kernel._publish_status, []
def all_but_one(status, *args, **kwargs):
    return kept.append(1) if status == "idle" and not kept else say(status, *args, **kwargs)
kernel._publish_status = all_but_one
while True:
    pass
"""
    for _ in range(3):
        _, result = run(drops_one, "1", cell_seconds=1)
        assert statuses(result) == ["timeout", "ok"] and result.problem == ""


def test_no_wait_is_without_end_whatever_it_is(monkeypatch):
    async def for_ever(*_):
        await asyncio.sleep(1000)

    monkeypatch.setattr(execute_module._Execution, "_run_cells", for_ever)
    before = set(psutil.Process().children(recursive=True))
    with pytest.raises(CourseError, match="far longer than it may"):
        run("1", start_seconds=0.1, notebook_seconds=0.1)
    assert set(psutil.Process().children(recursive=True)) <= before


def test_a_cell_that_ends_the_kernel_only_when_it_runs_again_is_left_out(tmp_path):
    once = f"import os\nif os.path.exists({str(tmp_path / 'ran')!r}): os._exit(1)\nopen({str(tmp_path / 'ran')!r}, 'w')"
    _, result = run(once, "import os; os._exit(1)", "1")
    assert statuses(result) == ["ok", "died", "ok"]
    assert "In another kernel, where it was run again, the kernel died in the cell that begins" in result.problem
    assert len(result.flags) == 1 and result.flags[0].endswith("See whether points are deserved.")


def test_a_cell_that_failed_and_is_lost_when_it_runs_again_is_flagged(tmp_path):
    """What it defined before the line that failed was there for the cells below it."""
    mark = str(tmp_path / "ran")
    once = f"y = 5\nimport os\nif os.path.exists({mark!r}): os._exit(1)\nopen({mark!r}, 'w')\n1 / 0"
    _, result = run(once, "import os; os._exit(1)", "print(y)")
    assert statuses(result) == ["error", "died", "error"] and len(result.flags) == 1
    assert "it was left out from then on" in result.problem


def test_no_cell_is_said_to_have_run_after_a_flood():
    # a fast machine puts more than is read of a message into one, where nothing holds it back
    flood = "import time\nwhile True:\n    print('x' * 1000, flush=True)\n    time.sleep(0.001)"
    _, result = run("1", flood, "1", all_output_bytes=1_000_000)
    assert statuses(result) == ["ok", "died", "not run"]
    assert result.problem == "It printed more than 1 MB and was ended."


def test_no_more_kernels_than_there_are_for_one_notebook():
    _, result = run(*["import os; os._exit(0)"] * KERNELS, "1")
    assert statuses(result) == ["died"] * KERNELS + ["not run"] and "kernel died" in result.problem


@pytest.mark.parametrize("took", [0, 400_000_000, 3_000_000_000])
@pytest.mark.parametrize(("kills", "code"), [([4, 5], "import os; os._exit(0)"), ([4, 5], "1"), ([4, 4], "1 / 0")])
def test_a_kernel_that_is_lost_while_the_machine_has_no_memory(monkeypatch, kills, code, took):
    """A laptop that grades with too many workers: a notebook that took little is not to blame for it."""
    told = chain(kills, repeat(kills[-1]))
    monkeypatch.setattr("autograder.grading.execute.ended_for_memory", lambda: next(told))
    monkeypatch.setattr(Kernels, "most_memory", lambda *_: took)
    if "exit" in code and took == 400_000_000:
        with pytest.raises(CourseError, match=r"The kernel died in .* No memory was left .* this is no result"):
            run(code, "1")
    else:
        _, result = run(code, "1")
        assert bool(result.problem) == ("exit" in code)
        assert result.flags == [] or ("exit" in code and "No memory was left" in result.flags[0])


PAUSED = """
import sys
import nbformat
from autograder.grading import execute
execute.LONGEST_PAUSE = 2.0
cell = "import os, time; open(PATH, 'a').write(f'{os.getpid()} '); time.sleep(1)".replace("PATH", repr(sys.argv[1]))
notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell, metadata={"course": {"role": "added"}})])
done = execute.execute(notebook, execute.Options(execute.Limits(cell_seconds=3)))
print([run.ended.value for run in done.cells.values()], done.problem)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="nothing stops a process there")
def test_limits_of_time_that_went_on_while_the_grader_stood_still_cost_nobody_a_point(tmp_path):
    """Ctrl-Z, and "fg" after some time: what was under way is run once more."""
    told = tmp_path / "told"
    grader = psutil.Popen([sys.executable, "-c", PAUSED, str(told)], stdout=subprocess.PIPE, text=True, cwd=ROOT)
    while not told.exists() or not told.read_text():
        assert grader.poll() is None
        time.sleep(0.05)
    kernel = psutil.Process(int(told.read_text()))
    kernel.suspend()
    grader.suspend()
    time.sleep(4)
    grader.resume()
    time.sleep(1)
    kernel.resume()
    assert grader.communicate(timeout=60)[0] == "['ok'] \n"
    assert len(told.read_text().split()) == 2, "it ran twice"


def test_what_linux_says_of_processes_that_it_ended_is_read(monkeypatch, tmp_path):
    monkeypatch.setattr(watchdog, "PROC", tmp_path)
    assert watchdog.ended_for_memory() == 0
    (tmp_path / "vmstat").write_text("nr_free_pages 5\noom_kill 3\nthp_fault_alloc 0\n")
    assert watchdog.ended_for_memory() == 3


def test_endless_output_is_cut():
    # slowly enough for the time limit to come before the one on all that a kernel prints
    endless = "import time\nwhile True:\n    print('x' * 10_000)\n    time.sleep(0.001)"
    executed, result = run(endless, "1", cell_seconds=2, output_bytes=100_000)
    assert result.cells["c0"].ended == "timeout"
    assert len(str(executed.cells[0].outputs)) < 300_000 and "was left out" in str(executed.cells[0].outputs)


def test_the_number_of_outputs_is_limited_however_small_they_are(monkeypatch):
    monkeypatch.setattr("autograder.grading.execute.MAX_OUTPUTS", 20)
    many = "from IPython.display import clear_output, display\nfor _ in range(15): display(1)"
    executed, result = run(f"{many}\nclear_output()", many, many, "1 / 0")
    assert statuses(result) == ["ok", "ok", "ok", "error"]
    assert [len(cell.outputs) for cell in executed.cells] == [0, 15, 6, 2]  # with a note, and the error from the reply
    assert "more than 20 outputs" in executed.cells[2].outputs[-1].text


@pytest.mark.skipif(sys.platform == "win32", reason="sessions are a thing of POSIX")
def test_every_process_that_was_started_ends():
    code = """
import subprocess, sys
one = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
two = subprocess.Popen("exec setsid sleep 600", shell=True)
print(one.pid, two.pid)"""
    executed, result = run(code)
    assert statuses(result) == ["ok"]
    pids = [int(word) for word in executed.cells[0].outputs[0].text.split()]
    assert len(pids) == 2
    assert not any(psutil.pid_exists(pid) and psutil.Process(pid).status() != "zombie" for pid in pids)


def test_the_environment_is_quiet_and_has_an_empty_folder_of_its_own():
    code = """
import os
assert os.environ["TF_CPP_MIN_LOG_LEVEL"] == "1" and os.environ["CUDA_VISIBLE_DEVICES"] == "-1"
assert os.listdir() == []
open("left", "w").close()
print(os.getcwd())"""
    executed, result = run(code)
    assert statuses(result) == ["ok"]
    assert not os.path.exists(executed.cells[0].outputs[0].text.strip())  # noqa: PTH110


def test_it_runs_where_an_event_loop_runs():
    async def inside():
        return run("1 + 1")[1]

    assert statuses(asyncio.run(inside())) == ["ok"]


def test_a_kernel_that_cannot_start_is_no_result_of_the_learners(monkeypatch):
    from autograder.grading import execute as module

    monkeypatch.setattr(module._Client, "async_start_new_kernel_client", _cannot)
    with pytest.raises(CourseError, match=r"did not start \(OSError: no sockets left\)"):
        run("1")


def test_a_kernel_that_cannot_be_started_leaves_no_socket(monkeypatch):
    monkeypatch.setattr(AsyncKernelManager, "_async_pre_start_kernel", _cannot)
    made: list[AsyncKernelManager] = []

    class Seen(Kernels):
        def manager(self, *args):
            made.append(super().manager(*args))
            return made[-1]

    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1", id="c0")])
    with pytest.raises(CourseError, match="no sockets left"):
        execute(notebook, Options(kernels=Seen()))
    assert len(made) == 2 and all(manager.context.closed for manager in made)


async def _cannot(*_, **__):
    raise OSError("no sockets left")
