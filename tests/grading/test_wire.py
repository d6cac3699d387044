"""What travels between a teacher's machine and a worker, and what is refused of it."""

from __future__ import annotations

import json

import pytest

from autograder.classroom import wire
from autograder.grading.execute import Executed
from autograder.grading.grade import Graded
from autograder.grading.intake import take_in
from autograder.grading.report import Status
from autograder.grading.submission import Submission
from autograder.grading.verdict import report_of
from tests.grading.conftest import graded

pytestmark = pytest.mark.xdist_group("gradebook")


@pytest.fixture
def answer(sums, right):
    """What an honest worker says of the right submission, without a run: its first check has passed."""
    clean = take_in(Submission(right), sums)
    report = report_of(Executed(clean.notebook), clean, sums)
    report.checks[0].points, report.checks[0].status = 2, Status.PASSED
    return json.loads(wire.pack_result(Graded(report, clean.notebook)))


def test_a_job_arrives_as_it_was_sent(sums):
    for raw in (None, b"", bytes(range(256))):
        sent = Submission(raw, ["a mend"], ["odd \udcff"], raw is None)
        assert wire.unpack_job(wire.pack_job(sent, sums, 7, 60.0)) == (sent, sums, 7, 60.0)


def test_a_job_of_another_version_is_refused_with_both_versions(sums, monkeypatch):
    job = wire.pack_job(Submission(None), sums, 0, 60)
    monkeypatch.setattr(wire, "grader_version", lambda: "9.9 0123456789 (3, 12, 0)")
    with pytest.raises(wire.BadResult, match=r"9\.9 \(01234567, Python \(3, 12, 0\)\); install the same version"):
        wire.unpack_job(job)


def test_a_real_result_arrives_as_it_was_sent(sums, right):
    for raw in (right, b"{", None):
        mine = graded(raw, sums)
        found = wire.unpack_result(wire.pack_result(mine), Submission(raw), sums)
        assert found.report == mine.report
        outputs = [[cell.get("outputs") for cell in notebook.cells] for notebook in (found.notebook, mine.notebook)]
        assert outputs[0] == outputs[1]


def test_an_honest_answer_is_taken(sums, right, answer):
    found = wire.unpack_result(json.dumps(answer).encode(), Submission(right), sums)
    assert found.report.score == 2


LIES = {
    "out of bounds": lambda a: a["report"]["checks"][0].update(points=3),
    "bounds": lambda a: a["report"]["checks"][0].update(points=float("nan")),
    "cannot be read": lambda a: a["report"]["checks"][0].update(points="2"),
    "cannot be read .Type": lambda a: a["report"]["checks"][0].update(likely=["a list"]),
    "cannot be read .V": lambda a: a["report"]["checks"][0].update(status="perfect"),
    "checks are not": lambda a: a["report"]["checks"].pop(),
    "not the lesson's": lambda a: a["report"]["checks"][0].update(max_points=200, points=200),
    "did not pass": lambda a: a["report"]["checks"][1].update(points=1),
    "set by nobody": lambda a: a["report"]["checks"][0].update(points=None),
    "nobody": lambda a: a["report"]["checks"][0].update(by_hand=True),
    "another submission": lambda a: a["report"].update(lesson="02_other"),
    r"cannot be read \(TypeError": lambda a: a["report"].update(flags="a text"),
    r"cannot be read \(Type": lambda a: a["report"].update(notes={"a": 1}),
    r"cannot be read \(T": lambda a: a["report"].update(mends=["x"] * (wire.MAX_SENTENCES + 1)),
    r"cannot be read \(ValueError": lambda a: a["report"].update(seconds=float("nan")),
    r"cannot be read \(Value": lambda a: a["report"].update(seconds=10**400),
    "waits for a person": lambda a: a["report"]["checks"][-1].update(points=1, status="passed"),
    "for a person, what": lambda a: a["report"]["checks"][-1].update(points=0, status="not written"),
    "a person, whatever": lambda a: a["report"]["checks"][-1].update(points=0, status="failed"),
    "cells are not": lambda a: a.update(notebook=a["notebook"].replace("return 2 * x", "return 3 * x")),
}


LONG = "x" * (wire.MAX_TEXT + 1)
LIES |= {
    r"be read \(TypeErr": lambda a: a["report"].update(problem=LONG),
    r"be read \(TypeE": lambda a: a["report"]["flags"].append(LONG),
    r"be read \(Type": lambda a: a["report"]["checks"][0].update(got=LONG),
}


@pytest.mark.parametrize("why", LIES)
def test_a_lie_is_no_result(sums, right, answer, why):
    LIES[why](answer)
    with pytest.raises(wire.BadResult, match=why):
        wire.unpack_result(json.dumps(answer).encode(), Submission(right), sums)


FORBIDDEN = set("\x1b\x07\u202e\x9b\r")
ESCAPES = "\x1b]0;owned\x07\x1b[2J\u202eall good"


def test_a_workers_texts_are_cleaned(sums, right, answer):
    report = answer["report"]
    report["flags"].append(ESCAPES)
    report["notes"].append(ESCAPES)
    report["problem"] = ESCAPES
    for key in wire.WORDS:
        report["checks"][1][key] = ESCAPES
    found = wire.unpack_result(json.dumps(answer).encode(), Submission(right), sums).report
    assert "all good" in found.problem and not FORBIDDEN & set(json.dumps(found.to_dict(), ensure_ascii=False))


def test_a_result_that_grows_in_memory_is_refused(sums, right, answer, monkeypatch):
    monkeypatch.setattr(wire, "MAX_STRUCTURE", 200_000)
    lists = "[" + "[]," * 100_000 + "0]"
    for grown in (f'{{"report": {lists}}}', json.dumps(answer | {"notebook": lists}), '"\\"' * 200_000):
        with pytest.raises(wire.BadResult, match=r"cannot be read \((ValueError|JSONDecodeError)"):
            wire.unpack_result(grown.encode(), Submission(right), sums)
    answer["report"]["notes"] = ["," * 1000] * 1000  # texts count little
    wire.unpack_result(json.dumps(answer).encode(), Submission(right), sums)


def test_a_result_that_would_be_refused_is_not_sent(sums, right, monkeypatch):
    monkeypatch.setattr(wire, "MAX_RESULT", 10)
    clean = take_in(Submission(right), sums)
    with pytest.raises(wire.BadResult, match="its result has more than"):
        wire.pack_result(Graded(report_of(Executed(clean.notebook), clean, sums), clean.notebook))


def test_a_result_has_a_size(sums, right, answer, monkeypatch):
    monkeypatch.setattr(wire, "MAX_RESULT", 1 << 20)
    answer["report"]["problem"] = "x" * (1 << 20)
    with pytest.raises(wire.BadResult, match="more than 1 MiB"):
        wire.unpack_result(json.dumps(answer).encode(), Submission(right), sums)


def test_a_workers_own_sentence_is_shown_as_it_can_be(sums, right):
    with pytest.raises(wire.WorkerFailed, match="^no disk \ufffd$"):
        wire.unpack_result(wire.pack_failure("no disk \x1b"), Submission(right), sums)


NO_JSON = (None, "{}", b"", b"{", b"[]", b"[" * 100_000, b"\xff", b'{"report": 1}', b"\x80\x04N.")


def test_what_is_no_json_is_no_result(sums, right):
    for data in NO_JSON:
        with pytest.raises(wire.BadResult):
            wire.unpack_result(data, Submission(right), sums)


def test_a_cell_keeps_the_marks_that_it_has_here(sums, right, answer):
    before = answer["notebook"]
    answer["notebook"] = before.replace('"points": 2', '"points": 200')
    assert answer["notebook"] != before
    found = wire.unpack_result(json.dumps(answer).encode(), Submission(right), sums)
    ours = take_in(Submission(right), sums).notebook
    assert [cell.metadata for cell in found.notebook.cells] == [cell.metadata for cell in ours.cells]
