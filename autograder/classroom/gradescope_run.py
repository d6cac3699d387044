"""What ``run_autograder`` runs in Gradescope's container: one submission in, ``results/results.json`` out.

Where something of the grader itself fails, there is no results.json: Gradescope then says that the autograder failed,
and nobody gets a silent zero.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from ..errors import CourseError
from ..files import write_whole
from ..grading.execute import Options
from ..grading.grade import grade_submission
from ..grading.lesson import read_lesson
from ..grading.report import CheckResult, Report
from ..grading.sandbox import choose_kernels, imported, refuse_unless_closed
from ..paths import Course
from ..reports.page import number
from ..wording import listed
from .plain_files import plain_bytes
from .submissions import Task, read_submission_of, seed_of

MAX_SMALL = 10_000_000  # bytes of Gradescope's own files
SHOWN = ("asked", "got", "expected", "likely", "reread")


def main(base: Path) -> int:
    """Grade what lies in ``base/submission``; the exit status. Called by ``run_autograder`` alone."""
    try:
        results = grade(base)
    except CourseError as error:
        print(f"course: {error}", file=sys.stderr)
        return 2
    write_whole(base / "results" / "results.json", (json.dumps(results, indent=1, ensure_ascii=False) + "\n").encode())
    return 0


def grade(base: Path) -> dict[str, Any]:
    """The content of results.json.

    Raises:
        CourseError: this container is no wall, or cannot grade.
    """
    begin, source = time.monotonic(), base / "source"
    close_doors(base)
    about = json.loads(plain_bytes(source / "gradescope.json", MAX_SMALL))
    course = Course(source)
    lesson = read_lesson(course, about["lesson"])
    submission = read_submission_of(Task("submission", lesson.name, base / "submission"))
    with choose_kernels(container=True, hidden=(base,), modules=imported(lesson.solution_text)) as kernels:
        seed = seed_of(learners_seed(base), submission)
        graded = grade_submission(submission, lesson, Options(kernels=kernels, seed=seed))
    report = graded.report
    if unjudged := [check.heading for check in report.checks if check.name in graded.broken]:
        raise CourseError(
            f"No verdict on {listed(unjudged)}: the grader failed, not the submission. Run it again; if it stays so, "
            "give these points by hand."
        )
    return results_of(report, about["hidden"], time.monotonic() - begin)


def close_doors(base: Path) -> None:
    """Keep answers, results and what Gradescope says of the learner from everybody but root, and try whether it is so.

    Raises:
        CourseError: they are open all the same.
    """
    places = [base / name for name in ("source", "results", "submission", "submission_metadata.json")]
    places = [place for place in places if place.exists()]
    for place in places:
        try:
            place.chmod(0o700 if place.is_dir() else 0o600)
        except OSError as error:
            raise CourseError(f"{place} cannot be closed to others ({error.strerror}).") from error
    refuse_unless_closed(places)


def learners_seed(base: Path) -> int:
    """A learner's own seed, the same for every submission: Gradescope keeps nothing between two runs."""
    try:
        about = json.loads(plain_bytes(base / "submission_metadata.json", MAX_SMALL))
        who = sorted(str(user["id"]) for user in about["users"])
    except (OSError, ValueError, KeyError, TypeError):
        who = []
    return int.from_bytes(hashlib.sha256(json.dumps(who).encode()).digest()[:4], "big")


def results_of(report: Report, hidden: str, seconds: float) -> dict[str, Any]:
    """A report in the form that Gradescope documents.

    A written answer is no test: a person gives its points there, by a rubric. A submission that could not be read has
    no tests either, and 0 points, which the sentence above them explains.
    """
    tests = [_test(check, report, hidden) for check in report.checks if not check.written]
    written = sum(check.max_points for check in report.checks if check.written)
    said = [*report.flags, *([report.problem] if report.problem else []), *report.mends]
    if written:
        said.append(f"Written answers ({number(written)} points) are graded by a person, and are not in this sum.")
    results: dict[str, Any] = {
        "output": "\n".join(said),
        "output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "execution_time": round(seconds),
        "tests": tests,
    }
    return results if tests else results | {"score": 0}


def _test(check: CheckResult, report: Report, hidden: str) -> dict[str, Any]:
    lines = [check.message, *(f"{name}: {value}" for name in SHOWN if (value := getattr(check, name)))]
    return {
        "name": f"{report.titles.get(check.exercise, check.exercise)}: {check.heading}",
        "score": check.points or 0,
        "max_score": check.max_points,
        "status": "passed" if check.passed else "failed",
        "output": "" if check.passed else "\n".join(dict.fromkeys(lines)),
        "output_format": "text",
        "visibility": hidden if check.kind == "hidden" else "visible",
    }


if __name__ == "__main__":
    os.umask(0o077)
    sys.exit(main(Path(sys.argv[1])))
