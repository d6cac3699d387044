"""Grading on other machines: what travels, who is refused, and what is left when one of them fails."""

from __future__ import annotations

import json
import os
import pickle
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import zlib
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("distributed", reason="the extra `cluster` is not installed")

from distributed import client as dask_client
from distributed.protocol import pickle as dask_pickle

from autograder.authoring.answers import reference_answers, submission
from autograder.classroom import certificates, cluster, wary_client, worker
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


@pytest.mark.skipif(os.name != "posix", reason="modes say nothing on Windows")
@pytest.mark.parametrize("name", [cluster.AUTHORITY, cluster.CERTIFICATE, cluster.KEY, "."])
def test_certificates_that_others_can_write_are_refused(name, tmp_path):
    """Who can write them may add an authority of their own."""
    address = cluster.read_address("tls://localhost", plain_tcp=False)
    before = os.umask(0o002)
    try:
        certificates.make(tmp_path, days=1)
    finally:
        os.umask(before)
    assert cluster.security(address, tmp_path), "those that are made here are fine, whatever the umask"
    mode = (tmp_path / name).stat().st_mode
    for more in (0o020, 0o002):
        (tmp_path / name).chmod(mode | more)
        with pytest.raises(CourseError, match="Other accounts of this machine may"):
            cluster.security(address, tmp_path)
    (tmp_path / name).chmod(mode)


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
    workers: dict[Any, Any] = {
        "1": {"name": "a", "nthreads": 10**9, "resources": mark},
        "2": {"name": "b\x1b\n" + "b" * 200, "nthreads": 1, "resources": {}},
        "3": {"name": [], "nthreads": float("nan"), "resources": None},
        "4": "a text",
        5: {},
    }
    without._call, without.say, without._silent = lambda what, **about: {"workers": workers}, said.append, set()
    assert without._look() == cluster.MAX_SLOTS
    assert "b\ufffd b" in said[0] and len(said[0]) < 400
    for nonsense in (None, [], {}, {"workers": []}):
        without._call = lambda what, nonsense=nonsense, **about: nonsense
        assert without._workers() == ([], [])
    asked: list[Any] = []
    monkeypatch.setattr(without, "_ask", lambda *about: asked.append(about), raising=False)
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


def test_the_teachers_side_takes_no_pickle(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with wary_client.wary():
        for loads in (dask_pickle.loads, dask_client.loads, dask_client.pickle.loads):
            for one in (Harm(), {"a": [1, 2.5, None, b"c", {"d"}]}, ""):
                with pytest.raises(pickle.UnpicklingError, match="is not taken from another machine"):
                    loads(pickle.dumps(one))
    assert not list(tmp_path.iterdir())


# Of Dask's modules, those that can unpickle. What the client uses of them is replaced while it is open; the others are
# a scheduler's, a worker's, or about data that no message of theirs brings here.
UNPICKLE = {
    "dask.multiprocessing": {"pickle", "cloudpickle", "_loads"},
    "dask.tokenize": {"pickle", "cloudpickle"},  # makes them only
    "distributed.client": {"pickle", "loads"},
    "distributed.protocol.pickle": {"pickle", "cloudpickle", "loads"},
    "distributed.scheduler": {"pickle", "loads"},
    "distributed.shuffle._core": {"pickle"},
    "distributed.shuffle._pickle": {"pickle"},
}


def test_no_new_version_of_dask_unpickles_by_another_name():
    """Those that go through the module ``distributed.protocol.pickle`` see what is replaced there."""
    from distributed.protocol import pickle as dask_pickle

    ways = [pickle, dask_pickle.cloudpickle, pickle.load, pickle.loads, pickle.Unpickler, dask_pickle.loads]
    found: dict[str, set[str]] = {}
    for name, module in list(sys.modules.items()):
        if name.split(".")[0] in ("dask", "distributed") and ".tests" not in name and name != "distributed.utils_test":
            mine = {key for key, value in vars(module).items() if any(value is way for way in ways)}
            found |= {name: mine} if mine else {}
    assert {name: names - UNPICKLE.get(name, set()) for name, names in found.items()} == dict.fromkeys(found, set())


def test_what_is_replaced_in_dask_is_put_back():
    before = [getattr(where, name) for where, name, _ in wary_client.REPLACED]
    with wary_client.wary():
        for where, name, replacement in wary_client.REPLACED:
            assert getattr(where, name) is replacement
    assert [getattr(where, name) for where, name, _ in wary_client.REPLACED] == before


def test_a_result_is_a_text_that_is_not_compressed():
    from distributed import protocol
    from distributed.protocol import Serialized, to_serialize

    def travelled(value: Any, **about: Any) -> Any:
        frames = protocol.dumps({"data": to_serialize(value)}, serializers=["msgpack", "pickle"])
        found = protocol.loads(frames, deserialize=False)["data"]
        return Serialized(found.header | about, found.frames)

    for text in ("", "a", "a" * 40, "\u00e9" * 300, "a" * 70_000):
        assert wary_client.result_text(travelled(text)) == text
    for value in (b"a", [], ["a"], {}, 1, None, Harm(), ValueError("a")):
        with pytest.raises(wary_client.BadResult):
            wary_client.result_text(travelled(value))
    for about in ({"serializer": "pickle"}, {"serializer": "dask"}, {"compression": ("zlib",)}):
        with pytest.raises(wary_client.BadResult, match="no plain text"):
            wary_client.result_text(travelled("a", **about))
    with pytest.raises(wary_client.BadResult, match="no text that can be read"):
        wary_client.result_text(Serialized({"serializer": "msgpack"}, [b"\xdb\xff\xff\xff\xffa"]))
    for nothing in (None, "a", Serialized(None, [])):
        with pytest.raises(wary_client.BadResult):
            wary_client.result_text(nothing)


def test_a_message_has_a_size(monkeypatch):
    from distributed import protocol
    from distributed.protocol import Serialized

    packed = Serialized({"serializer": "msgpack", "compression": ("zlib",)}, [zlib.compress(bytes(1 << 20))])
    with wary_client.wary():
        assert protocol.loads(protocol.dumps({"a": 1})) == {"a": 1}
        with pytest.raises(wary_client.TooMuch):
            protocol.loads(protocol.dumps({"a": packed}))
        monkeypatch.setattr(wary_client, "MAX_WORDS", 10)
        with pytest.raises(wary_client.TooMuch):
            protocol.loads(protocol.dumps({"a": "a" * 10}))


def as_it_travels(text: str) -> Any:
    from distributed.protocol import Serialized, msgpack

    return Serialized({"serializer": "msgpack"}, [msgpack.packb(text, unicode_errors="surrogatepass")])


def test_what_fails_on_a_worker_comes_back_as_words(sums, right, monkeypatch):
    job = cluster.pack_job(Submission(right), sums, 0, 60).decode()
    for sent, words in ((job, "no worker that has proved"), ("{", "JSONDecodeError"), (job[:50], "JSON")):
        with pytest.raises(CourseError, match=f"On a worker: .*{words}"):
            cluster.Cluster._read(Submission(right), sums, as_it_travels(worker.grade_here(sent)))
    monkeypatch.setattr("autograder.classroom.wire.grader_version", lambda: "9.9 0123456789 (3, 12, 0)")
    assert "install the same version of the course" in json.loads(worker.grade_here(job))["failed"]


@pytest.mark.parametrize(
    "lie", ["", "[]", "{}", '{"failed": 1}', '{"report": {}, "notebook": ""}', "[" * 99_999, "\udcff"]
)
def test_a_worker_that_lies_gets_a_sentence(lie, sums, right):
    with pytest.raises(CourseError, match="no result of this submission: .* Do you know every worker"):
        cluster.Cluster._read(Submission(right), sums, as_it_travels(lie))


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


class Liar:
    """A scheduler, and one worker that lies; each is a process of its own."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
        self.folder, self.running, self.how = folder, [], folder / "how"
        self.how.write_text("failed")
        self.start("Listening", "autograder", "scheduler", self.address)

    def start(self, words: str, module: str, *arguments: str) -> None:
        log = self.folder / f"{len(self.running)}.log"
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "COURSE_ROOT": str(ROOT)}
        with log.open("wb") as file:
            command = [sys.executable, "-m", module, *arguments]
            self.running.append(subprocess.Popen(command, env=environment, stdout=file, stderr=file))
        deadline = time.monotonic() + WAIT
        while words not in log.read_text():
            assert self.running[-1].poll() is None and time.monotonic() < deadline, log.read_text()
            time.sleep(0.1)

    def start_lying(self) -> None:
        self.start("works for", "tests.grading.lying_worker", self.address, str(self.how))

    def close(self) -> None:
        for process in reversed(self.running):
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def liar(tmp_path_factory):
    made = Liar(tmp_path_factory.mktemp("liar"))
    try:
        made.start_lying()
        yield made
    finally:
        made.close()


# {how a worker lies: what the teacher is told}
LIES = {
    "failed": "On a worker: ",
    "warn": "On a worker: ",
    "print": "On a worker: ",
    "type": "On a worker: ",
    "error": "No worker came to an end",
    "lists": "is no result of this submission: it is no",
    "object": "is no result of this submission: it is no",
    "large": "is no result",
}


@pytest.mark.parametrize("how", LIES)
def test_a_worker_that_lies_runs_nothing_and_writes_nothing_here(
    how, liar, sums_course, right, monkeypatch, capfd, recwarn
):
    """A real worker, through Dask: neither its pickles nor its words reach the teacher's command."""
    from tests.grading.test_wire import FORBIDDEN

    hand_in(Classroom(sums_course), right, 1)
    liar.how.write_text(how)
    if how == "large":
        monkeypatch.setattr(wary_client, "MAX_MESSAGE", 1 << 20)
    assert main(["grade", "--scheduler", liar.address]) == 1
    time.sleep(0.3)  # an event may come after the result
    assert not liar.how.with_name(f"HARM-{os.getpid()}").exists(), "a pickle of a worker was opened"
    written, errors = capfd.readouterr()
    assert LIES[how] in " ".join(written.split()) and errors == ""
    assert not FORBIDDEN & set(written) and "\n\u2713 eve" not in written
    assert not [str(warning.message) for warning in recwarn if "dask" in str(warning.message)]
    assert not list((sums_course.classroom / "journal").glob("*/*.json")), "a lie is no result"


def test_a_worker_that_never_answers_is_left_out(liar, sums_course, right, monkeypatch, capfd):
    hand_in(Classroom(sums_course), right, 1)
    liar.how.write_text("sleep")
    monkeypatch.setattr(cluster, "LENIENCE", 1 / 600)
    monkeypatch.setattr(cluster, "MAX_SILENT", 1)
    before = time.monotonic()
    assert main(["grade", "--scheduler", liar.address]) == 1
    assert time.monotonic() - before < 30
    said = " ".join(capfd.readouterr().out.split())
    assert "has not answered for 1 s, so nothing more is sent to it." in said and "no worker answered in time" in said


def test_without_a_worker_of_this_version_nothing_is_sent(tmp_path, sums_course, right, monkeypatch, capsys):
    hand_in(Classroom(sums_course), right, 1)
    alone = Liar(tmp_path)
    try:
        command = ["grade", "--scheduler", alone.address]
        assert main(command) == 2 and "No worker is connected" in capsys.readouterr().err
        alone.start_lying()
        monkeypatch.setattr(cluster, "version_mark", lambda: "grader of next year")
        assert main(command) == 2
        assert "Of another version of the grader or of Python than this machine: liar" in capsys.readouterr().err
    finally:
        alone.close()


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

    @pytest.mark.spare
    def test_a_host_is_cut_off(self, hosts):
        grader = begin(hosts)
        hosts.link("b", "down")
        all_is_there(hosts, grader)
        hosts.link("b", "up")
        hosts.kill("b")
        hosts.start_workers("b")

    @pytest.mark.spare
    def test_the_scheduler_is_killed_and_started_again(self, hosts):
        grader = begin(hosts)
        hosts.kill("scheduler")
        hosts.start_scheduler()
        all_is_there(hosts, grader)

    @pytest.mark.spare
    def test_the_teachers_command_is_killed_and_run_again(self, hosts):
        grader = begin(hosts)
        os.killpg(grader.pid, signal.SIGKILL)
        grader.wait()
        done = {path: path.stat().st_mtime_ns for path in results(hosts)}
        all_is_there(hosts, hosts.start("t", "grade", "--scheduler", hosts.address))
        assert {path: path.stat().st_mtime_ns for path in done} == done, "what was graded is not graded again"
