"""The class report: how each lesson went for the whole class, as one page and as plain data."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from statistics import mean, median
from urllib.parse import quote

from ..grading.report import CheckResult, Status
from ..reports.page import duration, number, templates
from .outcome import Outcome
from .submissions import is_about_one

BINS = 10  # of a lesson's points, equally wide
OF_BEFORE = (
    "Points that a person set stay, though the work was handed in again or graded otherwise since. Look in Formgrader "
    "whether they hold: save them there once more, or take them back."
)


@dataclass
class Bin:
    """How many students have between ``low`` and ``high`` percent of a lesson's points."""

    low: int
    high: int
    students: int = 0


@dataclass
class CheckOverview:
    """How one check went. ``passed`` and ``unwritten`` count students, as ``of`` does."""

    name: str
    title: str
    exercise: str
    kind: str
    max_points: float
    passed: int
    unwritten: int
    of: int

    @property
    def share(self) -> float:
        return self.passed / self.of if self.of else 0


@dataclass
class ExerciseOverview:
    """An exercise's checks, and the share of their points that the class has."""

    name: str
    title: str
    share: float
    solved: int  # students who passed every check
    of: int
    checks: list[CheckOverview]

    @property
    def by_difficulty(self) -> list[CheckOverview]:
        """Its checks, the hardest first."""
        return sorted(self.checks, key=lambda check: check.share)


@dataclass
class SittingOverview:
    """The exercises of one sitting. ``began`` counts students who wrote at least one of them."""

    title: str  # "" where the lesson has no sittings
    share: float  # of their checks' points that the class has
    began: int
    of: int
    exercises: list[ExerciseOverview]


@dataclass
class Cell:
    """What stands in the grid for one learner and lesson."""

    said: str  # points, or why there are none
    mark: str = ""  # what a person should know, in words
    handed_in: str = ""
    feedback: str = ""  # the page's address, relative to the report; "" where there is none


@dataclass
class Misconception:
    """A sentence that a check said to several students: the known mistake behind it, or else the message."""

    check: str
    says: str
    known: bool  # the check's author foresaw it
    students: list[str]


@dataclass
class LessonOverview:
    """One lesson. Scores are the points that are certain now, grades by hand included."""

    lesson: str
    title: str
    max_score: float
    scores: dict[str, float]  # {student: points} of those whose notebook could be read, or who have points by hand
    read: int  # how many notebooks could be read
    unreadable: list[str]  # students whose file could not be read or graded, nor by hand: their points are not known
    ungraded: list[str]  # students who handed in something that has not been graded yet
    missing: list[str]
    waiting: list[str]  # students with a written answer that nobody has graded
    late: dict[str, float]  # {student: seconds}
    odd_times: dict[str, str]  # {student: why the time of handing in is not to be believed without a look}
    flags: dict[str, list[str]]  # {student: why a person should look}
    bins: list[Bin]
    misconceptions: list[Misconception]
    due: str = ""  # in the teacher's time; "" where it is due never
    longer: list[str] = field(default_factory=list)  # who has an extension, and until when
    sittings: list[SittingOverview] = field(default_factory=list)
    mean: float | None = None
    median: float | None = None
    lowest: float | None = None
    highest: float | None = None

    @property
    def odd_together(self) -> dict[str, list[str]]:
        """``{why: students}`` of :attr:`odd_times`."""
        together: dict[str, list[str]] = defaultdict(list)
        for student, why in self.odd_times.items():
            together[why].append(student)
        return together


@dataclass
class ClassOverview:
    """The whole class."""

    students: list[str]
    lessons: list[LessonOverview] = field(default_factory=list)
    strangers: list[str] = field(default_factory=list)  # folders that belong to no lesson
    names: dict[str, str] = field(default_factory=dict)  # {student: name} of those whose name is known
    roster: list[str] = field(default_factory=list)  # what is wrong with the roster, as sentences
    lateness: str = ""  # what it costs
    grid: dict[str, dict[str, Cell]] = field(default_factory=dict)  # {student: {lesson: cell}}

    def name(self, student: str) -> str:
        """A learner in front of people: with a name where it is known."""
        return f"{self.names[student]} ({student})" if student in self.names else student


@dataclass
class About:
    """What the report says of a class besides its results; all of it may be missing."""

    titles: dict[str, str] = field(default_factory=dict)  # {lesson: title}
    names: dict[str, str] = field(default_factory=dict)  # {student: name}
    roster: list[str] = field(default_factory=list)
    due: dict[str, str] = field(default_factory=dict)  # {lesson: when}
    longer: dict[str, list[str]] = field(default_factory=dict)  # {lesson: extensions}
    lateness: str = ""
    sittings: dict[str, dict[str, str]] = field(default_factory=dict)  # {lesson: {exercise: title of its sitting}}
    # {lesson: sentences of its checks, word for word}; in others there may be a learner's own
    words: dict[str, frozenset[str]] = field(default_factory=dict)
    ungraded: dict[str, list[str]] = field(default_factory=dict)  # {lesson: who handed in what is not graded yet}


def overview(
    outcomes: list[Outcome], students: list[str], strangers: list[str], about: About | None = None
) -> ClassOverview:
    """Count a class.

    Args:
        outcomes: everything that was graded, of all lessons.
        students: everybody, also those who handed in nothing.
        strangers: folders that belong to no lesson.
        about: titles, names, dates, sittings, and what is not graded yet.
    """
    about = about or About()
    by_lesson: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in sorted(outcomes, key=lambda outcome: (outcome.task.lesson, outcome.task.student)):
        by_lesson[outcome.task.lesson].append(outcome)
    lessons = [_lesson(name, by_lesson[name], students, about) for name in sorted({*by_lesson, *about.ungraded})]
    for lesson in lessons:
        lesson.title = about.titles.get(lesson.lesson, lesson.title)
        lesson.due, lesson.longer = about.due.get(lesson.lesson, ""), about.longer.get(lesson.lesson, [])
    grid: dict[str, dict[str, Cell]] = {student: {} for student in students}
    for outcome in outcomes:
        grid.setdefault(outcome.task.student, {})[outcome.task.lesson] = _cell(outcome)
    for name, waiting in about.ungraded.items():
        for student in waiting:
            grid.setdefault(student, {})[name] = Cell("not graded yet")
    return ClassOverview(students, lessons, strangers, about.names, about.roster, about.lateness, grid)


def _cell(outcome: Outcome) -> Cell:
    report, task = outcome.report, outcome.task
    said, marks = f"{number(outcome.score)} of {number(outcome.max_score)}", list[str]()
    if report is None:
        return Cell(said if outcome.max_score else "not graded", "! look")
    if not report.handed_in or not report.readable:
        why = "not readable" if report.handed_in else "no notebook"
        said, marks = (said, [why, "points by hand"]) if outcome.is_known_by_hand else (why, [])
    marks += ["! look"] if _flags(outcome) else []
    marks += ["✎ waits"] if outcome.answer_waits and report.waiting else []
    marks += [f"late {duration(outcome.seconds_late)}"] if outcome.seconds_late else []
    page = f"feedback/{quote(task.student, safe='')}/{task.lesson}/{task.lesson}.html"
    return Cell(said, ", ".join(marks), outcome.handed_in[:10], "" if outcome.failure else page)


def _lesson(name: str, outcomes: list[Outcome], students: list[str], about: About) -> LessonOverview:
    there = [one for one in outcomes if one.report is None or one.report.handed_in or one.is_known_by_hand]
    ungraded = about.ungraded.get(name, [])
    handed_in = {outcome.task.student for outcome in there} | set(ungraded)
    read = [outcome for outcome in there if outcome.report is not None and outcome.report.readable]
    known = [one for one in there if one.is_known_by_hand or (one.report.readable if one.report else one.max_score > 0)]
    flags = {outcome.task.student: _flags(outcome) for outcome in outcomes}
    scores = {outcome.task.student: outcome.score for outcome in known}
    lesson = LessonOverview(
        lesson=name,
        title=name,
        max_score=max((outcome.max_score for outcome in outcomes), default=0),
        scores=scores,
        read=len(read),
        unreadable=[outcome.task.student for outcome in there if outcome.task.student not in scores],
        ungraded=ungraded,
        missing=[student for student in students if student not in handed_in],
        waiting=[o.task.student for o in there if o.answer_waits and o.report and o.report.waiting],
        odd_times={o.task.student: o.odd_time for o in there if o.odd_time},
        late={o.task.student: o.seconds_late for o in there if o.seconds_late},
        flags={student: sentences for student, sentences in flags.items() if sentences},
        bins=_bins(known),
        sittings=_sittings(read, about.sittings.get(name, {})),
        misconceptions=_misconceptions(read, about.words.get(name, frozenset())),
    )
    if scores:
        points = list(scores.values())
        lesson.mean, lesson.median = mean(points), median(points)
        lesson.lowest, lesson.highest = min(points), max(points)
    return lesson


def _flags(outcome: Outcome) -> list[str]:
    """Why a person should look."""
    report = [*outcome.report.flags, outcome.report.problem] if outcome.report else []
    odd_time = outcome.odd_time if is_about_one(outcome.odd_time) else ""
    of_before = OF_BEFORE if outcome.of_before else ""
    return [sentence for sentence in (outcome.failure, *report, odd_time, of_before) if sentence]


def _bins(outcomes: list[Outcome]) -> list[Bin]:
    width = 100 // BINS
    bins = [Bin(step * width, (step + 1) * width) for step in range(BINS)]
    for outcome in outcomes:
        share = outcome.score / outcome.max_score if outcome.max_score else 0
        bins[max(0, min(BINS - 1, int(share * BINS + 1e-9)))].students += 1
    return bins


def _sittings(outcomes: list[Outcome], titles: dict[str, str]) -> list[SittingOverview]:
    """In the lesson's order; only of notebooks that could be read."""
    together: dict[str, list[ExerciseOverview]] = defaultdict(list)
    for exercise in _exercises(outcomes):
        together[titles.get(exercise.name, "")].append(exercise)
    return [_sitting(title, exercises, outcomes) for title, exercises in together.items()]


def _sitting(title: str, exercises: list[ExerciseOverview], outcomes: list[Outcome]) -> SittingOverview:
    names = {exercise.name for exercise in exercises}
    mine = [
        [check for check in outcome.report.checks if check.exercise in names and not check.written]
        for outcome in outcomes
        if outcome.report
    ]
    possible = sum(check.max_points for checks in mine for check in checks)
    reached = sum(check.points or 0 for checks in mine for check in checks)
    began = sum(any(check.status not in (Status.NOT_WRITTEN, Status.NOT_RUN) for check in checks) for checks in mine)
    return SittingOverview(title, reached / possible if possible else 0, began, len(mine), exercises)


def _exercises(outcomes: list[Outcome]) -> list[ExerciseOverview]:
    """In the lesson's order; only of notebooks that could be read: a broken file says nothing about an exercise."""
    results: dict[str, list[list[CheckResult]]] = defaultdict(list)
    titles: dict[str, str] = {}
    for report in (outcome.report for outcome in outcomes if outcome.report):
        titles |= report.titles
        mine: dict[str, list[CheckResult]] = defaultdict(list)
        for check in report.checks:
            if not check.written:
                mine[check.exercise].append(check)
        for exercise, checks in mine.items():
            results[exercise].append(checks)
    return [_exercise(name, titles.get(name, name), learners) for name, learners in results.items()]


def _exercise(name: str, title: str, learners: list[list[CheckResult]]) -> ExerciseOverview:
    """One exercise, of which each learner has results, perhaps by checks of another version."""
    every = [check for checks in learners for check in checks]
    by_check: dict[str, list[CheckResult]] = defaultdict(list)
    for check in every:
        by_check[check.name].append(check)
    possible = sum(check.max_points for check in every)
    counted = [
        CheckOverview(
            known,
            those[0].title,
            name,
            those[0].kind,
            those[0].max_points,
            sum(result.passed for result in those),
            sum(result.status is Status.NOT_WRITTEN for result in those),
            len(those),
        )
        for known, those in by_check.items()
    ]
    solved = sum(all(check.passed for check in checks) for checks in learners)
    share = sum(check.points or 0 for check in every) / possible if possible else 0
    return ExerciseOverview(name, title, share, solved, len(learners), counted)


def _misconceptions(outcomes: list[Outcome], words: frozenset[str]) -> list[Misconception]:
    """The most common first; known are those whose sentence is among the author's own ``words``."""
    heard: dict[tuple[str, str, bool], list[str]] = defaultdict(list)
    for outcome in outcomes:
        for check in outcome.report.checks if outcome.report else ():
            says = check.likely or check.message.split("\n", 1)[0]
            if says and not check.written and check.status not in (Status.PASSED, Status.NOT_WRITTEN):
                heard[check.name, says, bool(check.likely) and check.likely in words].append(outcome.task.student)
    found = [Misconception(name, says, known, students) for (name, says, known), students in heard.items()]
    return sorted(found, key=lambda one: -len(one.students))


def class_page(whole: ClassOverview) -> str:
    """The class report as one HTML page that fetches nothing."""
    return templates().get_template("class.html.j2").render(whole=whole, most=12)


def misconceptions_page(lesson: LessonOverview) -> str:
    """One lesson's misconceptions to take into class: what was said, to how many, and no names."""
    return templates().get_template("misconceptions.html.j2").render(lesson=lesson, shown=_for_class(lesson))


def _for_class(
    lesson: LessonOverview,
) -> list[tuple[ExerciseOverview, list[tuple[CheckOverview, list[Misconception]]]]]:
    """Exercises with their checks, the hardest first, and what was said of each; only where something was said."""
    said = defaultdict(list)
    for one in lesson.misconceptions:
        said[one.check].append(one)
    found = []
    exercises = [exercise for sitting in lesson.sittings for exercise in sitting.exercises]
    for exercise in sorted(exercises, key=lambda exercise: exercise.share):
        checks = [(check, said[check.name]) for check in exercise.by_difficulty if said[check.name]]
        found += [(exercise, checks)] if checks else []
    return found
