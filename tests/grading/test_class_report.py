"""The class report: what it counts, and a page that needs no network."""

from __future__ import annotations

import re
from dataclasses import asdict, replace
from html.parser import HTMLParser
from pathlib import Path

from autograder.authoring.navigation import sittings
from autograder.classroom.class_report import About, class_page, misconceptions_page, overview
from autograder.classroom.outcome import Outcome
from autograder.classroom.submissions import TOLD_NO_TIME, Task
from autograder.grading.report import CheckResult, Report, Status
from autograder.reports.page import duration, number, page

LESSON = "01_sums"
SQUARES, LISTS = "it squares", "it returns a <list>"


def status(says):
    known = {"": Status.PASSED, "Not written yet.": Status.NOT_WRITTEN}
    return known.get(says, Status.FAILED)


def outcome(student, first, second="", **about):
    """A submission whose two checks said ``first`` and ``second`` ("" for passed)."""
    checks = [
        CheckResult("double-two", "double", "visible", 2, 0 if first else 2, status(first), likely=first),
        CheckResult("double-minus", "double", "hidden", 1, 0 if second else 1, status(second), second),
        CheckResult("why", "why", "written", 1, None, Status.WAITS),
    ]
    report = Report(LESSON, checks, titles={"double": "Exercise 1 · Double it"})
    for key in ("flags", "readable", "handed_in", "problem"):
        if key in about:
            setattr(report, key, about[key])
    late, by_hand = about.get("late", 0), about.get("by_hand", False)
    return Outcome(Task(student, LESSON, Path(student)), report, report.score, 4, True, "", late, by_hand=by_hand)


def the_class():
    broken = outcome("eve", "", "", readable=False, flags=["The file is not valid JSON."])
    broken.score, broken.report.checks = 0, []
    nothing = outcome("fay", "", "", readable=False, handed_in=False, flags=["No notebook was handed in."])
    nothing.score, nothing.report.checks = 0, []
    return [
        outcome("ada", ""),
        outcome("bob", SQUARES, "NameError: x"),
        outcome("cleo", SQUARES, late=3 * 3600),
        outcome("dan", LISTS, "Not written yet."),
        broken,
        nothing,
    ]


def lesson():
    about = About(words={LESSON: frozenset({SQUARES, LISTS})})
    whole = overview(the_class(), ["ada", "bob", "cleo", "dan", "eve", "fay", "gus"], ["gus/01_sumz"], about)
    return whole, whole.lessons[0]


def test_points_are_spread_over_the_class():
    _, one = lesson()
    assert one.scores == {"ada": 3, "bob": 0, "cleo": 1, "dan": 0}
    assert one.unreadable == ["eve"], "nobody knows how many points are in it: 0 would be a lie"
    assert (one.mean, one.median, one.lowest, one.highest, one.max_score) == (1, 0.5, 0, 3, 4)
    assert {bin.low: bin.students for bin in one.bins if bin.students} == {0: 2, 20: 1, 70: 1}
    assert sum(bin.students for bin in one.bins) == 4
    assert one.missing == ["fay", "gus"] and one.late == {"cleo": 10800}
    assert one.flags == {"eve": ["The file is not valid JSON."], "fay": ["No notebook was handed in."]}


def test_no_result_is_compared_with_every_other(monkeypatch):
    """In a class of thousands that takes seconds for each lesson."""
    compared = []
    monkeypatch.setattr(Outcome, "__eq__", lambda mine, other: bool(compared.append(mine)) or mine is other)
    _, one = lesson()
    assert one.unreadable == ["eve"] and compared == []


def test_what_is_not_graded_yet_is_not_missing():
    """Two handed in since the others were graded: gus, and fay, of whom there was no notebook then."""
    about = About(ungraded={LESSON: ["fay", "gus"]})
    whole = overview(the_class(), ["ada", "bob", "cleo", "dan", "eve", "fay", "gus", "hal"], [], about)
    (one,) = whole.lessons
    assert one.missing == ["hal"] and one.ungraded == ["fay", "gus"]
    assert whole.grid["fay"][LESSON].said == whole.grid["gus"][LESSON].said == "not graded yet"
    text = class_page(whole)
    assert "1 of 8 handed in nothing: hal." in text and "not graded yet: fay, gus." in text
    assert '<td class="number">7</td>\n<td class="number">1</td>' in text, "handed in, missing"


def test_a_lesson_of_which_nothing_is_graded_yet_is_in_the_report():
    about = About(ungraded={"02_more": ["ada", "bob"]})
    whole = overview(the_class(), ["ada", "bob", "cleo"], [], about)
    assert [one.lesson for one in whole.lessons] == [LESSON, "02_more"]
    assert whole.lessons[1].missing == ["cleo"] and whole.lessons[1].mean is None
    text = class_page(whole)
    assert "2 lessons handed in" in text and "not graded yet: ada, bob." in text and ">not graded yet</td>" in text


def test_points_by_hand_count_whatever_was_handed_in():
    """A person has read it, or has heard the learner: then the points are known."""
    given = the_class()
    broken, nothing = given[4], given[5]
    for one in (broken, nothing):
        one.by_hand, one.score = True, 2
    whole = overview(given, ["ada", "bob", "cleo", "dan", "eve", "fay", "gus"], [])
    (one,) = whole.lessons
    assert one.scores == {"ada": 3, "bob": 0, "cleo": 1, "dan": 0, "eve": 2, "fay": 2}
    assert one.unreadable == [] and one.missing == ["gus"] and sum(bin.students for bin in one.bins) == 6
    cells = {student: row[LESSON] for student, row in whole.grid.items() if row}
    assert (cells["eve"].said, cells["fay"].said) == ("2 of 4", "2 of 4")
    assert cells["eve"].mark == "not readable, points by hand, ! look"
    assert cells["fay"].mark == "no notebook, points by hand, ! look"
    assert one.sittings[0].exercises[0].of == 4, "their checks still say nothing"


def test_who_has_an_odd_time_is_to_be_looked_at():
    odd = outcome("ada", "")
    odd.odd_time = "who wrote that time?"
    whole = overview([odd, outcome("bob", "")], ["ada", "bob"], [])
    assert whole.lessons[0].flags == {"ada": ["who wrote that time?"]}
    assert [whole.grid[student][LESSON].mark for student in ("ada", "bob")] == ["! look, ✎ waits", "✎ waits"]


def test_a_system_that_tells_nobodys_time_is_said_once():
    those = [outcome("ada", ""), outcome("bob", "")]
    for one in those:
        one.odd_time = TOLD_NO_TIME.format("Moodle")
    whole = overview(those, ["ada", "bob"], [])
    assert whole.lessons[0].flags == {} and whole.grid["ada"][LESSON].mark == "✎ waits"
    text = class_page(whole)
    assert f"<li>ada, bob: {TOLD_NO_TIME.format('Moodle')}</li>" in text and text.count("Moodle") == 1


def test_full_points_are_in_the_last_bin():
    full = outcome("ada", "")
    full.score = 4
    assert [bin.students for bin in overview([full], ["ada"], []).lessons[0].bins] == [0] * 9 + [1]


def test_difficulty_counts_notebooks_that_could_be_read():
    _, one = lesson()
    ((exercise,),) = [sitting.exercises for sitting in one.sittings]
    assert (exercise.title, exercise.solved, exercise.of) == ("Exercise 1 · Double it", 1, 4)
    assert exercise.share == (3 + 0 + 1 + 0) / 12
    assert [(check.name, check.passed, check.unwritten, check.of) for check in exercise.checks] == [
        ("double-two", 1, 0, 4),
        ("double-minus", 2, 1, 4),
    ]


def test_who_solved_an_exercise_is_counted_by_learner():
    """After a check was added and one learner was graded again, they have results of different checks."""
    ada, bob, cleo = outcome("ada", ""), outcome("bob", ""), outcome("cleo", SQUARES)
    ada.report.checks.insert(0, CheckResult("double-zero", "double", "visible", 1, 1, Status.PASSED))
    cleo.report.checks.insert(0, CheckResult("double-zero", "double", "visible", 1, 1, Status.PASSED))
    (one,) = overview([ada, bob, cleo], ["ada", "bob", "cleo"], []).lessons
    (exercise,) = one.sittings[0].exercises
    assert (exercise.solved, exercise.of) == (2, 3)
    assert {check.name: (check.passed, check.of) for check in exercise.checks} == {
        "double-zero": (2, 2),
        "double-two": (2, 3),
        "double-minus": (3, 3),
    }


def test_exercises_stand_under_their_sitting():
    about = About(sittings={LESSON: {"double": "Sitting 1 · Adding"}})
    whole = overview(the_class(), ["ada"], [], about)
    (sitting,) = whole.lessons[0].sittings
    assert (sitting.title, sitting.began, sitting.of) == ("Sitting 1 · Adding", 4, 4)
    assert sitting.share == sitting.exercises[0].share == 4 / 12
    assert "Sitting 1 · Adding" in (text := class_page(whole)) and "4 of 4 wrote something" in text
    assert "Sitting" not in class_page(lesson()[0])


def test_who_wrote_nothing_in_a_sitting_has_not_begun_it():
    one = the_class()
    for check in one[0].report.checks:
        check.status = Status.NOT_WRITTEN
    assert overview(one, ["ada"], []).lessons[0].sittings[0].began == 3


def test_every_exercise_of_every_lesson_is_in_a_sitting(course):
    found = {name: sittings(course, name) for name in course.lessons()}
    assert found.pop("00_start_here") == {}
    for name, those in found.items():
        source = course.source(name).read_text(encoding="utf-8")
        assert list(those) == re.findall(r'^# %% \[markdown\] exercise="(\w+)"', source, re.MULTILINE), name
        assert list(dict.fromkeys(those.values())) == re.findall(r"^# ## (Sitting .*)$", source, re.MULTILINE), name


def test_misconceptions_are_counted_over_the_class():
    _, one = lesson()
    assert [(each.check, each.says, each.known, each.students) for each in one.misconceptions] == [
        ("double-two", SQUARES, True, ["bob", "cleo"]),
        ("double-minus", "NameError: x", False, ["bob"]),
        ("double-two", LISTS, True, ["dan"]),
    ]


class Outline(HTMLParser):
    """What a screen reader goes by, and whatever a browser would fetch."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.bare_headers, self.fetched = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.tags.append(tag)
        if tag == "th" and "scope" not in attributes:
            self.bare_headers.append(attributes)
        if tag in ("script", "link", "img", "iframe") or "src" in attributes:
            self.fetched.append(tag)
        link = attributes.get("href", "#")
        if link.startswith("/") or ":" in link or (tag != "a" and link != "#"):
            self.fetched.append(link)


def test_the_page_fetches_nothing_and_can_be_heard():
    whole, _ = lesson()
    text = class_page(whole)
    outline = Outline(text)
    assert (
        '<html lang="en">' in text
        and "http" not in text.replace("http-equiv", "")
        and "@import" not in text
        and "url(" not in text
    )
    assert not outline.fetched and not outline.bare_headers
    assert outline.tags.count("table") == outline.tags.count("caption") == 6
    assert outline.tags.count("h1") == outline.tags.count("main") == 1
    for words in ("2: bob, cleo", "it returns a &lt;list&gt;", "gus/01_sumz", "cleo: 3 h 0 min", "fay, gus"):
        assert words in text
    assert "<list>" not in text


def test_the_grid_has_everybody_with_points_dates_and_a_way_to_the_feedback():
    about = About(
        {LESSON: "01 Sums"}, {"ada": "Ada <L>"}, ["a wrong line"], {LESSON: "2026-03-01 18:00"}, lateness="So."
    )
    one = the_class()
    one[0].handed_in = "2026-03-01 10:00:00"
    whole = overview([*one, outcome("o'x #1", "")], ["ada", "bob", "cleo", "dan", "eve", "fay", "gus"], [], about)
    cells = {student: row.get(LESSON) for student, row in whole.grid.items()}
    assert cells["gus"] is None and cells["ada"].said == "3 of 4" and cells["ada"].handed_in == "2026-03-01"
    assert cells["eve"].said == "not readable" and cells["eve"].mark.startswith("! look")
    assert cells["fay"].said == "no notebook" and "late 3 h 0 min" in cells["cleo"].mark
    assert cells["o'x #1"].feedback == "feedback/o%27x%20%231/01_sums/01_sums.html"
    text = class_page(whole)
    for words in (
        "Ada &lt;L&gt; (ada)",
        "01 Sums",
        "a wrong line",
        "Due 2026-03-01 18:00.",
        "So.",
        "misconceptions/01_sums",
    ):
        assert words in text


def test_what_to_talk_about_names_nobody_and_begins_with_the_hardest_check():
    _, one = lesson()
    text = misconceptions_page(one)
    assert not Outline(text).fetched and "2×: it squares" in text and "1×: it returns a &lt;list&gt;" in text
    assert "bob" not in text and "cleo" not in text
    assert "NameError" not in text and "1×: no known misconception, and nobody else has it" in text
    assert text.index("double-two: 1 of 4") < text.index("double-minus (hidden): 2 of 4")


def test_who_has_points_by_hand_alone_is_no_notebook_that_could_be_read():
    _, one = lesson()
    by_hand = replace(one, scores=one.scores | {"zoe": 2.0})
    assert f"{len(one.scores)} notebooks could be read" in misconceptions_page(by_hand)


def test_a_lesson_that_nobody_handed_in_a_file_for_has_a_page_too():
    nothing = the_class()[-1]
    whole = overview([nothing], ["fay"], [])
    assert whole.lessons[0].mean is None and "1 of 1 handed in nothing: fay." in class_page(whole)
    assert overview([], ["fay"], []).lessons == [] and asdict(whole)["lessons"][0]["missing"] == ["fay"]


def test_a_students_page_has_the_cards_of_the_notebook():
    text = page(outcome("ada", SQUARES).report, "ada")
    assert text.count('class="course-card') == len(outcome("ada", SQUARES).report.checks)
    assert "✗ failed" in text and not Outline(text).bare_headers


def test_a_students_page_says_what_a_person_gave():
    report = outcome("ada", "").report
    report.checks[-1].status, report.checks[-1].points = Status.GRADED, 0.5
    text = page(report, "ada")
    assert "3 of 3 points in checks; 0.5 of 1 for written answers." in text and "nothing written yet" not in text
    assert "Graded by a person." not in text, "the card says so already"


def test_points_in_digits():
    taken_off = 0.7 + 0.1 - 0.8  # a little below 0, as floats add up
    assert taken_off < 0 and [number(value) for value in (taken_off, -0.004, 0, 2.0, 1.5, -0.25)] == [
        *("0", "0", "0", "2", "1.5", "-0.25")
    ]


def test_durations_in_words():
    said = [duration(seconds) for seconds in (1, 300, 7500, 86400, 180000)]
    assert said == ["1 min", "5 min", "2 h 5 min", "1 day 0 h", "2 days 2 h"]


def test_a_sentence_that_holds_a_learners_own_words_is_not_read_out_in_class():
    """A check may quote an error; only what stands in it word for word is the author's."""
    quoting = "a worker ended with an error: ask Bob Miller, he gave me his homework"
    about = About(words={LESSON: frozenset({SQUARES, "a worker ended with an error: ", ""})})
    those = [outcome("ada", quoting), outcome("bob", SQUARES), outcome("cleo", "", "ValueError: I am Cleo")]
    whole = overview(those, ["ada", "bob", "cleo"], [], about)
    text = misconceptions_page(whole.lessons[0])
    assert "Miller" not in text and "Cleo" not in text and "1×: it squares" in text
    assert "Miller" in class_page(whole)
