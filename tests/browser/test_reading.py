"""Pages that everybody can read: axe-core finds nothing in what is ours, and nothing needs sideways scrolling."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from autograder.classroom.class_report import class_page, misconceptions_page
from autograder.reports.page import page as report_page
from tests.browser.jupyter import ZOOMED, NotebookPage
from tests.browser.test_student import copy, solved
from tests.grading.test_class_report import SQUARES, outcome
from tests.grading.test_class_report import lesson as lesson_overview
from tests.servers import Lab

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.xdist_group("browser")]

LESSONS = ("00_start_here", pytest.param("01_device_placement", marks=pytest.mark.exhaustive))
OURS = [".jp-MarkdownCell .jp-RenderedHTMLCommon", ".jp-OutputArea-output .jp-RenderedHTMLCommon", ".course-card"]


def violations(page: Page, include: list[str] | None = None) -> list[str]:
    """What axe-core finds: the rule and the element, one line each."""
    there = [place for place in include or [] if page.locator(place).count()]
    context: Any = {"include": [[place] for place in there]} if there else None
    # a page inside JupyterLab is no page of its own: landmarks and the order of headings are JupyterLab's
    options = {"rules": {name: {"enabled": False} for name in ("region", "page-has-heading-one")}} if there else {}
    found = Axe().run(page, context=context, options=options).response["violations"]
    return [f"{rule['id']}: {node['html'][:200]}" for rule in found for node in rule["nodes"]]


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson_that_has_run_has_nothing_that_keeps_people_out(lab: Lab, page: Page, lesson: str) -> None:
    notebook = NotebookPage(page, lab, copy(lab, lesson, "read", solved(lab.course, lesson)))
    notebook.run_all("your-points")
    assert violations(page, OURS) == []
    with notebook.dark():
        assert violations(page, OURS) == []


def test_the_index_has_nothing_that_keeps_people_out(lab: Lab, page: Page) -> None:
    page.goto(lab.url)
    expect(page.locator(".jp-OutputArea table")).to_contain_text("not begun", timeout=60_000)
    assert violations(page, OURS) == []


def test_feedback_and_class_report_have_nothing_that_keeps_people_out(page: Page) -> None:
    whole, one = lesson_overview()
    for text in (report_page(outcome("ada", SQUARES).report, "ada"), class_page(whole), misconceptions_page(one)):
        page.set_content(text)
        assert violations(page) == []


@pytest.mark.parametrize("lesson", LESSONS)
def test_nothing_scrolls_sideways_in_a_narrow_window(lab: Lab, page: Page, picture, lesson: str) -> None:
    notebook = NotebookPage(page, lab, copy(lab, lesson, "narrow", solved(lab.course, lesson)))
    notebook.run_all("your-points")
    assert notebook.too_wide((900, 800), ZOOMED) == []
    picture(page, f"narrow-{lesson}")


def test_an_export_has_no_text_of_folded_cells(lab: Lab, page: Page) -> None:
    """File → Save and Export Notebook As → HTML, and File → Print, ask the server for this page."""
    answer = page.request.get(lab.page_url(f"/nbconvert/html/{LESSONS[0]}/{LESSONS[0]}.ipynb"))
    text = answer.text()
    assert answer.ok and "Lesson 00" in text
    assert "quiet_import" not in text and "course_checks" not in text
