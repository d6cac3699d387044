"""Grading on other machines: what travels, who is refused, and what is left when one of them fails."""

from __future__ import annotations

import asyncio
import json
import os
import pickle
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import contextmanager, suppress
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("distributed", reason="the extra `cluster` is not installed")

from autograder.authoring.answers import reference_answers, submission
from autograder.classroom import certificates, cluster, worker
from autograder.classroom.gradebook import grades
from autograder.classroom.submissions import Classroom
from autograder.cli import main
from autograder.errors import CourseError
from autograder.grading.execute import Options
from autograder.grading.lesson import read_lesson
from autograder.grading.sandbox import probe
from autograder.grading.submission import Submission
from autograder.paths import Course
from tests.bench.kill_grader import ROWS
from tests.conftest import ROOT
from tests.grading.conftest import NAME, make_course
from tests.grading.hosts import NONE, WAIT, Hosts, can_make_hosts

pytestmark = pytest.mark.xdist_group("cluster")


# ------------------------------------------------------------------------------------------------ who may connect


@pytest.mark.parametrize("text", ["", "here", "http://a:1", "tls://", "tls://a:port", "tls://a:1/b", "tls://a:99999"])
def test_what_is_no_address_is_said(text):
    with pytest.raises(CourseError, match="is no scheduler's address. Write it like tls://"):
        cluster.read_address(text, plain_tcp=False)


def test_plain_tcp_stays_on_this_machine_unless_somebody_accepts_it():
    for text in ("tcp://127.0.0.1:1", "tcp://localhost:1", "tcp://[::1]:1", "tls://example.org:1"):
        assert str(cluster.read_address(text, plain_tcp=False)) == text
    for text in ("tcp://example.org:1", "tcp://0.0.0.0:1", "tcp://127.example.org"):
        with pytest.raises(CourseError, match=r"plain TCP between machines: .* accept that with --plain-tcp"):
            cluster.read_address(text, plain_tcp=False)
        assert cluster.read_address(text, plain_tcp=True).scheme == "tcp"


def test_without_a_scheduler_dask_is_not_imported():
    code = (
        "import sys, autograder.classroom.grade, autograder.classroom.wire\n"
        "autograder.classroom.grade.add_arguments(__import__('argparse').ArgumentParser())\n"
        "print([name for name in ('dask', 'distributed') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("command", ["grade", "worker", "scheduler", "certificates"])
def test_without_the_extra_a_sentence_says_how_to_install_it(command, sums_course, right, monkeypatch, capsys):
    hand_in(Classroom(sums_course), right, 1)
    monkeypatch.setattr(cluster, "find_spec", lambda name: None)
    address = ["tls://localhost"] if command in ("worker", "scheduler") else []
    assert main([command, *address, *(["--scheduler", "tls://localhost"] if command == "grade" else [])]) == 2
    assert "pip install --editable '.[cluster]'" in capsys.readouterr().err


def test_certificates_are_made_once_and_only_their_owner_reads_the_key(sums_course, capsys):
    assert main(["certificates"]) == 0
    assert "whoever has it may run programs on all of them" in " ".join(capsys.readouterr().out.split())
    folder = sums_course.classroom / "certificates"
    assert (folder / cluster.KEY).stat().st_mode & 0o077 == 0 == folder.stat().st_mode & 0o077
    address = cluster.read_address("tls://localhost", plain_tcp=False)
    safe = cluster.security(address, None)
    assert safe.require_encryption and safe.get_connection_args("client")["ssl_context"].verify_mode
    before = (folder / cluster.CERTIFICATE).read_bytes()
    assert main(["certificates"]) == 2 and "--force replaces them" in capsys.readouterr().err
    assert (folder / cluster.CERTIFICATE).read_bytes() == before
    assert main(["certificates", "--force"]) == 0 and (folder / cluster.CERTIFICATE).read_bytes() != before


def test_certificates_that_ran_out_or_are_missing_are_said(tmp_path):
    address = cluster.read_address("tls://localhost", plain_tcp=False)
    with pytest.raises(CourseError, match=r"ca\.pem is missing\. Make certificates with"):
        cluster.security(address, tmp_path)
    certificates.make(tmp_path, days=0)
    with pytest.raises(CourseError, match=r"ran out on 20.*Make new ones with `course certificates --force`"):
        cluster.security(address, tmp_path)
    certificates.make(tmp_path, days=1)
    (tmp_path / cluster.CERTIFICATE).write_text("none")
    with pytest.raises(CourseError, match="cannot be read"):
        cluster.security(address, tmp_path)


@pytest.mark.skipif(os.name != "posix", reason="the key's mode says nothing on Windows")
def test_a_key_that_others_can_read_is_refused(tmp_path):
    certificates.make(tmp_path, days=1)
    (tmp_path / cluster.KEY).chmod(0o640)
    with pytest.raises(CourseError, match="chmod 600"):
        cluster.security(cluster.read_address("tls://localhost", plain_tcp=False), tmp_path)


def test_what_a_worker_says_of_itself_is_bounded(sums, right, monkeypatch):
    """Its name, how much it takes at once, and how often it may take a submission without a result."""
    without: Any = object.__new__(cluster.Cluster)
    said, mark = [], {cluster.version_mark(): 1}
    workers = {1: {"name": "a", "nthreads": 10**9, "resources": mark}, 2: {"name": "b\x1b", "resources": {}}}
    without.client, without.say = SimpleNamespace(scheduler_info=lambda: {"workers": workers}), said.append
    assert without._look() == cluster.MAX_SLOTS and "b\ufffd. Install" in said[0]
    asked = []
    monkeypatch.setattr(without, "_ask", asked.append, raising=False)
    with pytest.raises(CourseError, match="sent 10 times, and no result"):
        without.grade(Submission(right), sums, Options())
    assert len(asked) == cluster.MAX_TRIES


def test_a_worker_without_a_sandbox_refuses(sums_course, monkeypatch, capsys):
    from autograder.grading.sandbox import Isolation, kernels

    monkeypatch.setattr(kernels, "probe", lambda: Isolation(problem="There is no bubblewrap here."))
    assert main(["worker", "tcp://127.0.0.1:1"]) == 2
    assert "cannot be a worker: There is no bubblewrap here." in capsys.readouterr().err


def test_nobody_listens(sums_course, right, monkeypatch, capsys):
    hand_in(Classroom(sums_course), right, 1)
    monkeypatch.setattr(cluster, "CONNECT", 1.0)
    assert main(["grade", "--scheduler", "tcp://127.0.0.1:9"]) == 2
    assert "Nobody answers at tcp://127.0.0.1:9" in capsys.readouterr().err
    assert main(["grade", "--scheduler", "tcp://127.0.0.1:9", "--unsafe"]) == 2
    assert "every worker proves its sandbox" in capsys.readouterr().err


# --------------------------------------------------------------------------------------------------- what travels


class Harm:
    def __reduce__(self):
        return os.mkdir, ("harmed",)


def test_the_teachers_side_unpickles_plain_data_only(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    plain = {"a": [1, 2.5, None, b"c", {"d"}]}
    assert cluster._careful_loads(pickle.dumps(plain)) == plain
    for harmful in (Harm(), SimpleNamespace(), os.system, eval, open):
        with pytest.raises(pickle.UnpicklingError, match="is not taken from another machine"):
            cluster._careful_loads(pickle.dumps(harmful))
    assert not list(tmp_path.iterdir())


def test_what_fails_on_a_worker_comes_back_as_words(sums, right, monkeypatch):
    job = cluster.pack_job(Submission(right), sums, 0, 60).decode()
    for sent, words in ((job, "no worker that has proved"), ("{", "JSONDecodeError"), (job[:50], "JSON")):
        with pytest.raises(CourseError, match=f"On a worker: .*{words}"):
            cluster.Cluster._read(worker.grade_here(sent), Submission(right), sums)
    monkeypatch.setattr("autograder.classroom.wire.grader_version", lambda: "9.9 0123456789 (3, 12, 0)")
    assert "install the same version of the course" in json.loads(worker.grade_here(job))["failed"]


@pytest.mark.parametrize(
    "lie", ["", "[]", "{}", '{"failed": 1}', '{"report": {}, "notebook": ""}', "[" * 99_999, "\udcff"]
)
def test_a_worker_that_lies_gets_a_sentence(lie, sums, right):
    with pytest.raises(CourseError, match="no result of this submission: .* Do you know every worker"):
        cluster.Cluster._read(lie, Submission(right), sums)


def test_when_no_worker_is_left_it_is_said_once(monkeypatch):
    monkeypatch.setattr(cluster, "MIND", 0.0)
    heard: list[str] = []
    there = iter([True, False, False, True, False])

    def somebody() -> bool:
        try:
            return next(there)
        except StopIteration:
            raise OSError("the scheduler is away") from None

    attendance = cluster.Attendance(somebody, heard.append)
    counts = []
    for _ in range(6):
        attendance.mind()
        counts.append(len(heard))
    assert counts == [0, 1, 1, 1, 2, 2] and heard[0].startswith("No worker is left; waiting for one.")


@contextmanager
def scheduler_here():
    """A scheduler in a thread of this process, without a sandbox: nothing is graded there; its address."""
    from distributed import Scheduler, Worker

    cluster.needs_dask()
    started, stop, found = threading.Event(), threading.Event(), SimpleNamespace()

    async def serve() -> None:
        quiet: Any = {"dashboard_address": "127.0.0.1:0"}
        async with Scheduler(host="127.0.0.1", port=0, protocol="tcp://", dashboard=False, **quiet) as scheduler:
            found.address, found.loop = scheduler.address, asyncio.get_running_loop()

            async def join(**about) -> Worker:
                options: Any = {"host": "127.0.0.1", "memory_limit": 0, **quiet}
                return await Worker(scheduler.address, nthreads=1, **options, **about)

            found.join = lambda **about: asyncio.run_coroutine_threadsafe(join(**about), found.loop).result(30)
            started.set()
            while not stop.is_set():
                await asyncio.sleep(0.05)
            for one in list(scheduler.workers):
                await scheduler.remove_worker(one, stimulus_id="end")

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    assert started.wait(30)
    try:
        yield found
    finally:
        stop.set()
        thread.join(30)


def test_a_worker_of_another_version_is_refused_and_one_that_lies_costs_a_sentence(
    sums_course, right, monkeypatch, capsys, tmp_path
):
    hand_in(Classroom(sums_course), right, 2)
    from distributed.protocol import pickle as dask_pickle

    monkeypatch.setattr(dask_pickle, "loads", dask_pickle.loads)  # put back what the teacher's side changes
    monkeypatch.setattr(cluster, "_careful_loads", dask_pickle.loads)  # scheduler and worker live in this process, too
    with scheduler_here() as found:
        command = ["grade", "--scheduler", found.address]
        assert main(command) == 2 and "No worker is connected" in capsys.readouterr().err
        old = found.join(name="old", resources={"grader of last year": 1}, local_directory=str(tmp_path / "old"))
        assert main(command) == 2
        said = capsys.readouterr().err
        assert "Of another version of the grader or of Python than this machine: old." in said
        monkeypatch.setattr(worker, "grade_here", lies)
        found.join(name="liar", resources={cluster.version_mark(): 1}, local_directory=str(tmp_path / "liar"))
        assert main(command) == 1
        said = " ".join(capsys.readouterr().out.split())
        assert "nothing is sent to them" in said and said.count("Do you know every worker?") >= 2
        assert old.state.executed_count == 0
    assert not list((sums_course.classroom / "journal").glob("*/*.json")), "a lie is no result"


def lies(job: str) -> str:
    return '{"report": {"score": 100}, "notebook": "{}"}'


# ------------------------------------------------------------------------------------------------------ when hosts fail

STUDENTS = 4
SLOW = "import time\ntime.sleep(1.5)\n\ndef double(x):\n    return 2 * x"


def hand_in(classroom: Classroom, raw: bytes, students: int) -> None:
    for number in range(students):
        folder = classroom.submitted / f"s{number}" / NAME
        folder.mkdir(parents=True)
        (folder / f"{NAME}.ipynb").write_bytes(raw)


@pytest.fixture(scope="module")
def hosts(tmp_path_factory, course: Course):
    if not can_make_hosts():
        pytest.skip(NONE)
    if not probe().works:
        pytest.skip("submissions cannot be isolated here")
    folder = tmp_path_factory.mktemp("hosts")
    made = make_course(folder / "course", course.config)
    lesson = read_lesson(made, NAME)
    hand_in(Classroom(made), submission(lesson, reference_answers(lesson) | {"double": SLOW}), STUDENTS)
    certificates.make(made.classroom / "certificates", days=1)
    hosts = Hosts(made, folder)
    try:
        hosts.start_scheduler()
        hosts.start_workers("a", "b")
        yield hosts
    finally:
        hosts.close()


def begin(hosts: Hosts) -> subprocess.Popen:
    """The class graded from the start; returns when one result is there and others are under way."""
    room = hosts.course.classroom
    for made in ("journal", "autograded", "feedback"):
        shutil.rmtree(room / made, ignore_errors=True)
    (room / "gradebook.db").unlink(missing_ok=True)
    grader = hosts.start("t", "grade", "--scheduler", hosts.address)
    deadline = time.monotonic() + WAIT
    while not results(hosts):
        assert grader.poll() is None and time.monotonic() < deadline, hosts.log("t", "grade").read_text()
        time.sleep(0.05)
    return grader


def results(hosts: Hosts) -> list:
    return list((hosts.course.classroom / "journal" / NAME).glob("s*.json"))


def all_is_there(hosts: Hosts, grader: subprocess.Popen) -> None:
    """Every submission is graded, recorded once, and has its points."""
    try:
        status = grader.wait(WAIT)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(grader.pid, signal.SIGKILL)
    assert status == 0, hosts.log("t", "grade").read_text()
    assert [grade.score for grade in grades(hosts.course).values()] == [7] * STUDENTS
    with sqlite3.connect(Classroom(hosts.course).gradebook) as database:
        for query in ROWS:
            assert max(Counter(database.execute(query).fetchall()).values()) == 1, query


@pytest.mark.slow
class TestFaults:
    def test_a_worker_is_killed(self, hosts):
        grader = begin(hosts)
        hosts.kill("a")
        all_is_there(hosts, grader)
        hosts.start_workers("a")

    def test_a_host_is_cut_off(self, hosts):
        grader = begin(hosts)
        hosts.link("b", "down")
        all_is_there(hosts, grader)
        hosts.link("b", "up")
        hosts.kill("b")
        hosts.start_workers("b")

    def test_the_scheduler_is_killed_and_started_again(self, hosts):
        grader = begin(hosts)
        hosts.kill("scheduler")
        hosts.start_scheduler()
        all_is_there(hosts, grader)

    def test_the_teachers_command_is_killed_and_run_again(self, hosts):
        grader = begin(hosts)
        os.killpg(grader.pid, signal.SIGKILL)
        grader.wait()
        done = {path: path.stat().st_mtime_ns for path in results(hosts)}
        all_is_there(hosts, hosts.start("t", "grade", "--scheduler", hosts.address))
        assert {path: path.stat().st_mtime_ns for path in done} == done, "what was graded is not graded again"
