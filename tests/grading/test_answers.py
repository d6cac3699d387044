"""The answer bank: each answer of each lesson gets exactly what its header declares, on the real grading path."""

from __future__ import annotations

import itertools
import warnings
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import pytest

from autograder.authoring.answers import (
    Answer,
    combine,
    complaints,
    deal,
    grade_answers,
    grade_reference,
    read_answer,
    read_bank,
    reference_answers,
)
from autograder.errors import CourseError
from autograder.grading.lesson import read_lesson
from autograder.paths import Course
from tests.bench.constants import PLAIN, constant_answers
from tests.conftest import LATER, LESSONS, ROOT
from tests.grading.conftest import graded as graded_bytes

WAITING = ("04", "06", "07", "10", "12")  # lessons whose checks wait: for timeouts, processes, servers
HANDS = 2  # notebooks that hold such a lesson's answers, and run at once
# Exercises whose answers start processes, train networks or measure memory: seconds of both cores each, or many.
COSTLIEST = ("ensemble", "merged", "pipeline", "survive", "triage", "work", "race", "halving", "train")  # 10 s and more
COSTLY = (
    *COSTLIEST,
    *("micro", "largest", "recompute", "batches", "mirrored", "tpu", "replica_step", "fleet", "nets", "layouts"),
    *("preempt", "resume", "sum_early", "all_reduce", "drain", "layers", "narrow", "plan", "step", "blend"),
    *("observe", "rescue", "sharded_adam", "speedup", "split", "update"),
)


def together(name, *marks) -> list[pytest.MarkDecorator]:
    """Tests of one lesson's bank stay in one worker, which grades it once in each place."""
    return [pytest.mark.slow, pytest.mark.xdist_group(f"bank-{name}"), *marks]


WHEN = ([], [LATER])  # marks of what is in the parts of a bank


def bank_params():
    """One parameter per answer."""
    for name in LESSONS:
        for part, marks in zip(parts_of(name), WHEN, strict=True):
            for answer in filter(is_declared, part):
                yield pytest.param(name, answer, id=f"{name}-{answer.name}", marks=together(name, *marks))


@cache
def parts_of(name):
    """What is graded of a lesson's bank always, and what where there is time; each with stubs or constants.

    First come right answers (to a costly exercise one), and those wrong ones by which each check fails once (to the
    costliest exercises one).
    """
    lesson, bank = read_lesson(Course(ROOT), name), read_bank(Course(ROOT), name)
    chosen = telling(bank, COSTLIEST)
    chosen += [answer for answer in bank if not (answer.fails or answer.exercise in COSTLY)]
    first, *others = (constants(lesson, value) for value in PLAIN[::4])
    return (
        [*(answer for answer in bank if answer in chosen), *stubs(lesson), *first],
        [*(answer for answer in bank if answer not in chosen), *itertools.chain(*others)],
    )


def is_declared(answer):
    """Whether an answer's header says what it gets; stubs and constants get nothing."""
    return answer.max_points > 0


def telling(bank, costliest=()):
    """Of a bank, for each exercise one right answer, and as few wrong ones as let every check of it fail once.

    To the costliest exercises one wrong answer is enough.
    """
    chosen = []
    for exercise in dict.fromkeys(answer.exercise for answer in bank):
        mine = [answer for answer in bank if answer.exercise == exercise]
        chosen.append(next(answer for answer in mine if not answer.fails))
        left = {check for answer in mine for check in answer.fails}
        while left:
            chosen.append(max(mine, key=lambda answer: len(left & answer.fails.keys())))
            left = left - chosen[-1].fails.keys() if exercise not in costliest else set()
    return chosen


def stubs(lesson):
    """What a lesson's exercises come with, as answers."""
    return [
        Answer(f"unsolved_{exercise}", exercise, 0, 0, lesson.stubs[exercise]) for exercise in reference_answers(lesson)
    ]


def constants(lesson, value):
    """Answers whose functions always return the same; `course bench constants` tries many more."""
    return [
        Answer(f"constant_{exercise}_{value}", exercise, 0, 0, text)
        for exercise, text in constant_answers(lesson, {}, value).items()
    ]


def graded(lesson, answers, kernels, checks_in_kernel=False):
    """``{name of the answer: report}``; where checks wait, several notebooks wait together."""
    hands = HANDS if lesson.name.startswith(WAITING) else 1
    with ThreadPoolExecutor(hands) as pool:
        done = pool.map(lambda hand: grade_answers(lesson, hand, kernels, checks_in_kernel), deal(answers, hands))
        return {name: report for reports in done for name, report in reports.items()}


def once_more(lesson, answers, reports, kernels, checks_in_kernel=False):
    """Put other reports on a few answers into ``reports``, graded by themselves, and say so.

    Beside three other workers a thread may lie still for seconds; what a machine of its own would not show is no fault
    of an answer. More than a few is no hiccup: then nothing is graded again.
    """
    if 0 < len(answers) <= 3:
        names = ", ".join(answer.name for answer in answers)
        warnings.warn(f"{lesson.name}: graded once more, alone: {names}", stacklevel=2)
        reports |= grade_answers(lesson, answers, kernels, checks_in_kernel)


REPORTS = {}  # {(lesson, name of an answer): report}; many tests look at them, and the first has them made


def reports_of(name, course, kernels, answers):
    """``{name of the answer: report}`` on answers to a lesson's exercises; those that have none are graded together."""
    new = [answer for answer in answers if (name, answer.name) not in REPORTS]
    if new:
        lesson = read_lesson(course, name)
        reports = graded(lesson, new, kernels)
        wrong = [answer for answer in filter(is_declared, new) if complaints(answer, reports[answer.name])]
        once_more(lesson, wrong, reports, kernels)
        REPORTS.update({(name, answer): report for answer, report in reports.items()})
    return {answer.name: REPORTS[name, answer.name] for answer in answers}


@pytest.mark.parametrize(("name", "answer"), list(bank_params()))
def test_an_answer_gets_what_it_declares(name, answer, course, kernels):
    part = next(part for part in parts_of(name) if answer in part)
    report = reports_of(name, course, kernels, part)[answer.name]
    assert not complaints(answer, report)
    # no right answer touches what a stub gives for the checks
    assert not report.flags or answer.name.startswith("wrong_")


@pytest.mark.slow
@LATER
@pytest.mark.parametrize(
    ("lesson", "answer", "seed"),
    [
        ("03_gpu_memory", "right_micro_assign", 61),  # no ReLU let the last examples through
        ("03_gpu_memory", "right_recompute_lambda", 563),  # nor any
        ("07_replication", "right_ensemble_threads", 52),  # two batches with one answer
        ("10_search_and_ensembles", "right_blend_absolute", 22),  # members at which Nelder-Mead stalled
        ("10_search_and_ensembles", "right_blend_rest", 5),
        ("10_search_and_ensembles", "right_halving_float64", 62),  # losses whose order float32 turned round
    ],
)
def test_a_right_answer_does_not_depend_on_what_is_drawn(lesson, answer, seed, course, kernels):
    """Once, what these seeds drew let no mistake be told from what is right."""
    answers = [one for one in read_bank(course, lesson) if one.name == answer]
    reports = grade_answers(read_lesson(course, lesson), answers, kernels, seed=seed)
    assert [complaints(one, reports[one.name]) for one in answers] == [[]]


@pytest.mark.parametrize(
    ("name", "part"),
    [pytest.param(name, part, marks=together(name, *marks)) for name in LESSONS for part, marks in enumerate(WHEN)],
)
def test_no_check_passes_for_a_function_that_always_returns_the_same(name, part, course, kernels):
    answers = parts_of(name)[part]
    reports = reports_of(name, course, kernels, answers)
    for answer in answers:
        if answer.name.startswith("constant_"):
            mine = [check for check in reports[answer.name].checks if check.exercise == answer.exercise]
            assert mine and not [(answer.text, check.name) for check in mine if check.points]


@pytest.mark.slow
@pytest.mark.parametrize("name", LESSONS)
def test_the_reference_gets_all_points_and_the_unsolved_lesson_none(name, course, kernels):
    lesson = read_lesson(course, name)
    solved = grade_reference(lesson, kernels)
    points, of = solved.automatic
    assert points == of > 0 and not (solved.problem or solved.flags or solved.mends)
    unsolved = graded_bytes(lesson.release_text.encode(), lesson, kernels).report
    assert unsolved.automatic == (0, of) and unsolved.waiting == 0 and not unsolved.flags
    assert {check.message for check in unsolved.checks} <= {"Not written yet.", "Nothing was written here."}


@pytest.mark.parametrize("name", LESSONS)
def test_every_exercise_has_enough_answers(name, course):
    lesson, bank = read_lesson(course, name), read_bank(course, name)
    for exercise in reference_answers(lesson):
        mine = [answer for answer in bank if answer.exercise == exercise]
        right = [answer for answer in mine if answer.name.startswith("right_")]
        assert len(right) >= 2 and len(mine) - len(right) >= 5, f"{exercise}: {len(right)} right of {len(mine)}"
    assert {answer.exercise for answer in bank} <= set(reference_answers(lesson))


# the harness itself: it must notice every way in which an answer is not as declared

HARNESS = pytest.mark.xdist_group("bank")  # two kernels for all of them
RIGHT = "# exercise: double\n# score:    3/3\n# why:      adds\ndef double(x):\n    return x + x\n"
WRONG = (
    "# exercise: double\n# score:    2/3\n# fails:    double-minus: absolute value\n# why: y\n"
    "def double(x):\n    return 2 * abs(x)\n"
)


def answer_of(tmp_path, text, name="wrong_double.py"):
    path = tmp_path / name
    path.write_text(text)
    return read_answer(path)


@pytest.fixture(scope="module")
def report(sums, tmp_path_factory):
    answer = answer_of(tmp_path_factory.mktemp("bank"), WRONG)
    return grade_answers(sums, [answer])[answer.name]


@HARNESS
def test_an_answer_as_declared_has_no_complaint(report, tmp_path):
    assert complaints(answer_of(tmp_path, WRONG), report) == []


@HARNESS
@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("2/3", "1/3", "score is 2/3, declared 1/3"),
        ("2/3", "2/4", "score is 2/3, declared 2/4"),
        ("absolute value", "whole numbers", "double-minus does not say 'whole numbers'"),
        ("double-minus", "double-two", "double-minus fails but is not declared to"),
        ("# why", "# fails: double-two: x\n# why", "double-two is declared to fail but passes"),
        ("# why", "# fails: double-xx: x\n# why", "double-xx is declared to fail but passes (no such check)"),
        ("exercise: double", "exercise: triple", "no exercise `triple`"),
    ],
)
def test_an_answer_that_is_not_as_declared_is_noticed(report, tmp_path, old, new, complaint):
    found = complaints(answer_of(tmp_path, WRONG.replace(old, new)), report)
    assert any(complaint in line for line in found), found


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("right_a.py", RIGHT.replace("3/3", "2/3")),
        ("right_a.py", RIGHT.replace("# why", "# fails: double-two: x\n# why")),
        ("wrong_a.py", WRONG.replace("2/3", "3/3")),
        ("wrong_a.py", WRONG.replace(": absolute value", "")),
        ("wrong_a.py", WRONG.replace("# score:    2/3\n", "")),
        ("wrong_a.py", WRONG.replace("2/3", "most")),
        ("wrong_a.py", WRONG.replace("# exercise: double\n", "")),
    ],
)
def test_a_header_that_contradicts_itself_is_refused(tmp_path, name, text):
    with pytest.raises(CourseError, match=name):
        answer_of(tmp_path, text, name)


def test_answers_share_submissions_and_lonely_ones_do_not():
    answers = [Answer(f"a{i}", "a", 0, 1, "") for i in range(3)] + [Answer("b0", "b", 0, 1, "")]
    answers.append(Answer("b1", "b", 0, 1, "", alone=True))
    groups = combine(answers, ["a", "b"])
    assert [sorted(answer.name for answer in group.values()) for group in groups] == [
        ["a0", "b0"],
        ["a1"],
        ["a2"],
        ["b1"],
    ]
    hands = [[answer.name for answer in hand] for hand in deal(answers, 2)]
    assert hands == [["a0", "a2"], ["a1", "b0"], ["b1"]]
    assert deal(answers[:1], 3) == [answers[:1]] and deal([], 3) == []


# answers that run one after the other: none may help or harm the next

RIGHT_DOUBLE, RIGHT_HALVE = "def double(x): return 2 * x", "def halve(x): return x / 2"
SEQUENCE = {  # {exercise and what the answer does: (its text, points, words of a message)}
    "double right": (RIGHT_DOUBLE, 3, ""),
    "double is not defined": ("pass", 0, "'double' is not defined"),
    "double stops early": ("1 / 0\n" + RIGHT_DOUBLE, 0, "`double` stopped with ZeroDivisionError"),
    "double does not compile": ("def double(x) return 2", 0, "`double` stopped with SyntaxError"),
    "double brings a name": ("brought = 2\n" + RIGHT_DOUBLE, 3, ""),
    "double uses a name that the last one brought": ("def double(x): return x * brought", 0, "NameError"),
    "double takes names away": ("del START, get_ipython\n" + RIGHT_DOUBLE, 3, ""),
    "double uses them": ("get_ipython()\ndef double(x): return 2 * x + START - 100", 3, ""),
    "double replaces a name of the lesson": ("START = 0\n" + RIGHT_DOUBLE, 3, ""),
    "double uses that one": ("def double(x): return 2 * x + START - 100", 3, ""),
    "double changes the environment": ("import os\nos.environ.clear()\n" + RIGHT_DOUBLE, 3, ""),
    "double uses it": ("import os\nlook = os.environ['PATH']\n" + RIGHT_DOUBLE, 3, ""),
    "double ends the kernel in a check": ("import os\ndef double(x): os._exit(1)", 0, "The kernel ended"),
    "double in a new kernel": ("def double(x): return 2 * abs(x)", 2, "absolute value"),
    "halve has no double, which is a stub": ("def halve(x): return double(x) / 4", 0, "Not written yet."),
    "halve relies on nothing of the checks of double": ("def halve(x): return got", 0, "'got' is not defined"),
    "halve right": (RIGHT_HALVE, 4, ""),
    "halve wrong": ("def halve(x): return x // 2", 1, "whole numbers"),
}


@pytest.fixture(scope="module")
def in_sequence(sums):
    answers = [Answer(name, name.split()[0], 0, 0, text) for name, (text, _, _) in SEQUENCE.items()]
    return grade_answers(sums, answers)


@HARNESS
@pytest.mark.parametrize("name", SEQUENCE)
def test_answers_in_one_kernel_neither_help_nor_harm_each_other(in_sequence, name):
    _, points, says = SEQUENCE[name]
    mine = [check for check in in_sequence[name].checks if check.exercise == name.split()[0]]
    assert sum(check.points for check in mine) == points, mine
    assert not says or any(says in check.message for check in mine), mine
