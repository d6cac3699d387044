"""`course check`: tables and a page for a learner's own notebook, which is only read."""

from __future__ import annotations

import pytest

from autograder.authoring.answers import reference_answers, submission
from autograder.cli import main
from tests.grading.conftest import NAME

pytestmark = pytest.mark.xdist_group("check")


@pytest.fixture
def work(sums_course):
    """``work(bytes)`` puts a learner's copy into work/ and gives its path."""

    def put(raw):
        path = sums_course.work_notebook(NAME)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(raw)
        return path

    return put


@pytest.fixture
def wrong(sums):
    """One wrong answer, one unwritten, and a written one."""
    answers = {"double": "def double(x):\n    return x * x", "why": "Because."}
    return submission(sums, answers)


def test_each_check_is_shown_with_its_points_and_reasons(work, wrong, sums_course, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    path = work(wrong)
    assert main(["check"]) == 0, "a low score is not an error"
    out = capsys.readouterr().out
    assert "Exercise 1 · Double it" in out and "double-minus" in out and "(hidden)" in out
    assert "2 of 2" in out and "0 of 1" in out
    for words in ("asked:", "double(-41)", "got:", "1681", "expected:", "-82", "likely:", "reread:", "section 1"):
        assert words in out
    assert "not written yet" in out
    assert "2 of 7 points in checks; 2 points wait" in out
    assert path.read_bytes() == wrong, "the learner's file is only read"
    assert sorted(p.name for p in path.parent.iterdir()) == [path.name]

    page = (sums_course.work / "reports" / "01.html").read_text()
    assert "1681" in page and "section 1" in page and 'lang="en"' in page and "://" not in page
    assert page.count('class="course-card') == 5 and "<title>" in page


def test_an_answer_cannot_put_html_into_the_page(work, sums, sums_course):
    work(submission(sums, {"double": "def double(x):\n    return '<script>alert(1)</script>'"}))
    assert main(["check", "1"]) == 0
    page = (sums_course.work / "reports" / "01.html").read_text()
    assert "<script>" not in page and "&lt;script&gt;" in page


def test_a_file_can_be_named(tmp_path, sums_course, sums, capsys):
    path = tmp_path / f"{NAME}.ipynb"
    path.write_bytes(submission(sums, reference_answers(sums)))
    assert main(["check", str(path)]) == 0
    assert "7 of 7 points in checks; 2 points of written answers: nothing written yet" in capsys.readouterr().out


def test_what_cannot_be_checked_ends_with_a_sentence_and_status_2(work, sums_course, capsys):
    assert main(["check"]) == 2
    assert "course lab" in capsys.readouterr().err
    assert main(["check", "01"]) == 2
    assert "no copy of 01_sums yet" in capsys.readouterr().err
    assert main(["check", "gone.ipynb"]) == 2
    assert "does not exist" in capsys.readouterr().err
    work(b"{")
    assert main(["check"]) == 2
    assert "could not be graded. The file is not a notebook" in capsys.readouterr().err
    work(b"")
    sums_course.release_notebook(NAME).unlink()
    assert main(["check"]) == 2
    assert "course build 01" in capsys.readouterr().err


@pytest.mark.parametrize("limit", ["1e6", "inf"])
def test_a_time_that_does_not_end_is_refused(work, wrong, limit, capsys):
    work(wrong)
    with pytest.raises(SystemExit):
        main(["check", "--timeout", limit])
    assert f"{limit!r} is longer than a day" in capsys.readouterr().err


@pytest.mark.parametrize("limit", ["0", "-5", "nan"])
def test_a_time_in_which_nothing_can_be_done_is_refused(work, wrong, limit, capsys):
    work(wrong)
    with pytest.raises(SystemExit):
        main(["check", "--timeout", limit])
    assert f"{limit!r} grades nothing" in capsys.readouterr().err
