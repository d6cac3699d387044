"""``course feedback``: everybody's page of a lesson in one zip, which a learning management system gives back."""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.text import Text

from ..errors import CourseError
from ..files import write_zip
from ..grading.reading import MAX_FILE_BYTES
from ..grading.text import clean_line
from ..paths import Course, find_course
from ..wording import typed
from .gradebook import feedback_path, marks_of, renew_lateness, write_feedback
from .grading_lock import only_grader
from .journal import Journal, journal_of
from .outcome import why_not_of_now
from .plain_files import plain_bytes
from .recording import is_of
from .submissions import Classroom, Task, note_path

MAX_NOTE = 100_000  # bytes


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("lesson", metavar="LESSON", help="a number or name")
    parser.add_argument("--zip", dest="system", choices=["moodle"], required=True, help="whose shape the zip has")
    parser.add_argument("--file", type=Path, metavar="FILE", help="default: classroom/feedback-moodle-LESSON.zip")


def command(args: argparse.Namespace) -> int:
    course, console = find_course(), Console()
    lesson = course.lesson(args.lesson)
    path = args.file or course.classroom / f"feedback-{args.system}-{lesson}.zip"
    made = for_moodle(course, lesson, path)
    for sentence in made.wrong:
        console.print(Text(f"! {sentence}"), soft_wrap=True)
    console.print(Text(f"{path}: {len(made.inside)} pages. In Moodle: View all submissions, Upload multiple feedback files in a zip."), soft_wrap=True)  # fmt: skip # noqa: E501
    return 1 if made.wrong else 0


@dataclass
class Made:
    """``{folder in the zip: learner}``, and who is not in it, or with a page of earlier work, as sentences."""

    inside: dict[str, str] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)


def for_moodle(course: Course, lesson: str, path: Path) -> Made:
    """Each page under the name of the folder that Moodle gave for that submission; its number says whose it is.

    Raises:
        CourseError: the class is being graded; nobody's submission was collected from Moodle, or two came from one
            folder.
    """
    made, pages, journal = Made(), {}, journal_of(course)
    not_renewed = _renew(course, journal, lesson)
    for task in Classroom(course).tasks([lesson], Classroom(course).students()):
        page, (folder, beside) = feedback_path(course, task), _folder(course, task.student, lesson)
        if not folder:
            made.wrong.append(f"{task.student} is not in it: that submission was not collected from Moodle.")
        elif beside:
            made.wrong.append(
                f"{task.student} is not in it: it came with another lesson's files, so Moodle has no place for its "
                f"page in this assignment. It is {page.relative_to(course.root)}."
            )
        elif not page.is_file():
            made.wrong.append(f"{task.student} is not in it: there is no feedback yet. Run {typed('grade')}.")
        elif folder.encode(errors="replace").decode() != folder:  # bytes that were no UTF-8
            made.wrong.append(
                f"{task.student} is not in it: the name of Moodle's folder, {clean_line(folder)}, fits no zip."
            )
        elif folder in made.inside:
            made.wrong.append(f"{task.student} is not in it: {made.inside[folder]} has the same folder in Moodle.")
        else:
            made.inside[folder] = task.student
            pages[f"{folder}/{page.name}"] = plain_bytes(page, MAX_FILE_BYTES, single=False)  # the grader's own
            if why := why_not_of_now(task, journal, None):
                made.wrong.append(f"{task.student}: {why} Run {typed('grade')}.")
            elif not journal.recorded(task).feedback and page.stat().st_mtime < journal.written(task):
                made.wrong.append(f"{task.student}: the page is of an earlier result. Run {typed('grade')}.")
            elif task in not_renewed:
                made.wrong.append(
                    f"{task.student}: the gradebook's points are of an earlier result, so the page is as it was. "
                    f"Run {typed('grade')}."
                )
    if not pages:
        raise CourseError(f"No page of {lesson} can go back to Moodle. {' '.join(made.wrong[:3])}".strip())
    write_zip(path, pages)
    course.close_classroom()  # where learners may go through it
    return made


def _renew(course: Course, journal: Journal, lesson: str) -> set[Task]:
    """Bring points and comments that people gave since, and dates, into the pages of what is recorded.

    Returns:
        Those whose points in the gradebook are not of the last result: its file may have been put back from a copy.
    """
    not_renewed: set[Task] = set()
    if not Classroom(course).has_gradebook:
        return not_renewed
    with only_grader(course):
        renew_lateness(course)
        marks = marks_of(course, lesson)
        for task in Classroom(course).tasks([lesson], sorted(marks)):
            if not is_of(marks[task.student].made_of, journal, task)[0]:
                not_renewed.add(task)
            elif journal.recorded(task).gradebook:
                write_feedback(course, journal, task, marks[task.student])
    return not_renewed


def _folder(course: Course, student: str, lesson: str) -> tuple[str, bool]:
    """Moodle's folder of a submission, "" where there is none, and whether it is that of another lesson's."""
    try:
        about = json.loads(plain_bytes(note_path(course, student, lesson), MAX_NOTE, single=False))
        own = about.get("own folder") if about.get("beside") else about.get("folder")
        return str(own or about.get("folder", "")), bool(about.get("beside") and not own)
    except (OSError, ValueError, AttributeError):
        return "", False
