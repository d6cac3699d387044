"""The page of written answers in a real browser: many answers, two tabs, a gradebook that is busy."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator

import pytest
from nbgrader.api import Gradebook
from playwright.sync_api import Browser, Locator, Page, Route, expect

from autograder.authoring.answers import reference_answers, submission
from autograder.grading.lesson import read_lesson
from autograder.grading.sandbox import probe
from autograder.paths import Course
from autograder.teaching.written import PER_PAGE
from tests.browser.test_reading import violations
from tests.grading.conftest import NAME, make_course
from tests.servers import Lab, running

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.xdist_group("browser")]

PAGE = f"/course/written/{NAME}/why"
SAVED = "Saved in the gradebook."
MORE = 7  # answers on the second page


@pytest.fixture(scope="module")
def lab(course: Course, tmp_path_factory: pytest.TempPathFactory, chromium: str) -> Iterator[Lab]:
    """One learner's notebook, graded."""
    root = tmp_path_factory.mktemp("written") / "course"
    shutil.copytree(course.config, root / "autograder", ignore=shutil.ignore_patterns("__pycache__"))
    mine = make_course(root, course.config)
    lesson = read_lesson(mine, NAME)
    folder = mine.classroom / "submitted" / "ada" / NAME
    folder.mkdir(parents=True)
    (folder / f"{NAME}.ipynb").write_bytes(submission(lesson, reference_answers(lesson) | {"why": "Because."}))
    how = [] if probe().works else ["--unsafe"]
    subprocess.run(
        [sys.executable, "-m", "autograder", "grade", *how],
        env={**os.environ, "COURSE_ROOT": str(root)}, capture_output=True, check=True,
    )  # fmt: skip
    with running(mine, command="teacher") as lab:
        yield lab


def opened(lab: Lab) -> Gradebook:
    return Gradebook("sqlite:///" + str(lab.course.classroom / "gradebook.db"))


def put(lab: Lab, points: float | None, comment: str | None = None, waits: bool = False) -> None:
    """What the gradebook has of ada's answer."""
    with opened(lab) as gradebook:
        grade = gradebook.find_grade("why", NAME, NAME, "ada")
        grade.manual_score, grade.needs_manual_grade = points, points is None or waits
        gradebook.find_comment("why", NAME, NAME, "ada").manual_comment = comment
        gradebook.db.commit()


def kept(lab: Lab) -> tuple[float | None, bool, str | None]:
    with opened(lab) as gradebook:
        grade = gradebook.find_grade("why", NAME, NAME, "ada")
        comment = gradebook.find_comment("why", NAME, NAME, "ada")
        return grade.manual_score, grade.needs_manual_grade, comment.manual_comment


@pytest.fixture
def card(lab: Lab, page: Page) -> Locator:
    """Nothing has been given yet."""
    put(lab, None)
    page.goto(lab.page_url(PAGE))
    return page.locator("article")


def test_another_tabs_points_and_comment_are_not_lost(
    lab: Lab, page: Page, card: Locator, browser: Browser, picture
) -> None:
    old = browser.new_page()
    old.goto(lab.page_url(PAGE))
    card.locator(".score").fill("2")
    card.locator(".comment").fill("A long careful comment")
    card.locator(".comment").press("Control+Enter")
    expect(card.locator(".said")).to_have_text(SAVED)
    late = old.locator("article")
    late.locator(".comment").fill("ps: see section 1")
    late.locator(".comment").press("Control+Enter")
    expect(late.locator(".said")).to_contain_text("Not saved: the gradebook has other points or another comment")
    expect(late.locator(".said")).not_to_contain_text("press Enter")
    assert kept(lab) == (2, False, "A long careful comment") and violations(old) == []
    picture(old, "changed-in-another-tab")
    old.close()
    card.locator(".score").fill("1")  # what this tab saved itself is nobody else's
    card.locator(".score").press("Enter")
    expect(card.locator(".said")).to_have_text(SAVED)
    expect(card.locator(".state")).to_have_text("✓ graded")
    assert kept(lab) == (1, False, "A long careful comment")
    card.locator(".score").fill("")
    card.locator(".score").press("Enter")
    expect(card.locator(".state")).to_have_text("✎ waits")
    expect(page.locator("#waits")).to_have_text("1")


def test_what_is_written_while_the_gradebook_is_busy_is_what_is_saved(lab: Lab, page: Page, card: Locator) -> None:
    sent: list[str] = []

    def busy_once(route: Route) -> None:
        sent.append(str(route.request.post_data))
        if len(sent) > 1:
            route.continue_()
        else:
            route.fulfill(status=503, json={"why": "Another program is writing the gradebook just now."})

    page.route(f"**{PAGE}*", busy_once)
    card.locator(".score").fill("1.5")
    card.locator(".score").press("Tab")
    expect(card.locator(".said")).to_have_text("Saving …")
    card.locator(".comment").fill("You forgot the second half.")
    card.locator(".comment").press("Control+Enter")
    expect(card.locator(".said")).to_have_text(SAVED)
    page.wait_for_timeout(2500)  # the first would be tried once more by now
    assert kept(lab) == (1.5, False, "You forgot the second half."), sent
    assert len(sent) == 2, "one save at a time, and none too many"


def test_points_are_shown_and_saved_with_all_their_digits(lab: Lab, page: Page, card: Locator) -> None:
    put(lab, 1.125)
    page.reload()
    expect(card.locator(".score")).to_have_value("1.125")
    card.locator(".comment").fill("only a comment")
    card.locator(".comment").press("Control+Enter")
    expect(card.locator(".said")).to_have_text(SAVED)
    assert kept(lab) == (1.125, False, "only a comment")


def test_enter_confirms_points_of_what_was_handed_in_again(lab: Lab, page: Page, card: Locator) -> None:
    put(lab, 1.5, waits=True)
    page.reload()
    expect(card.locator(".state")).to_have_text("✎ waits")
    card.locator(".score").press("Enter")
    expect(card.locator(".state")).to_have_text("✓ graded")
    assert kept(lab) == (1.5, False, None)


def test_next_answers_are_those_that_wait(lab: Lab, page: Page, picture) -> None:
    """A class of more than one page holds; of the others only rows are there, which need no grading."""
    put(lab, None)
    with opened(lab) as gradebook:
        for number in range(PER_PAGE + MORE - 1):
            gradebook.update_or_create_student(f"s{number}")
            gradebook.add_submission(NAME, f"s{number}")
    page.goto(lab.page_url(PAGE))
    expect(page.locator("article")).to_have_count(PER_PAGE)
    for _ in range(PER_PAGE):
        page.keyboard.type("1")
        page.keyboard.press("Enter")
    following = page.get_by_role("link", name=f"Next answers ({MORE} more; {MORE} wait)")
    expect(following).to_be_focused()
    expect(page.locator("#waits")).to_have_text(str(MORE))
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="First answers")).to_be_visible()
    assert page.locator("article .state").all_inner_texts()[:MORE] == ["✎ waits"] * MORE
    expect(page.locator("article").first.locator(".score")).to_be_focused()
    expect(page.locator("nav")).to_contain_text("No answer on another page waits.")
    picture(page, "next-answers")
