"""What a learner sees: `course lab` in a real browser, on a copy of the course."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Page, expect

from autograder.authoring.answers import read_bank
from autograder.learning.work import released
from autograder.notebooks import content
from autograder.paths import Course
from autograder.python_code import defined_names
from tests.browser.jupyter import NotebookPage, last_code
from tests.servers import Lab

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.xdist_group("browser")]

START, PLACEMENT = "00_start_here", "01_device_placement"


def solved(course: Course, lesson: str) -> nbformat.NotebookNode:
    """The released notebook with the reference answers in its solution cells."""
    notebook = nbformat.read(course.release_notebook(lesson), as_version=4)
    answers = {cell.id: cell.source for cell in nbformat.read(course.solution_notebook(lesson), as_version=4).cells}
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("solution"):
            cell.source = re.sub(r"^.*### (BEGIN|END) SOLUTION.*\n?", "", answers[cell.id], flags=re.MULTILINE)
    return notebook


def copy(lab: Lab, lesson: str, name: str, notebook: nbformat.NotebookNode | None = None) -> Path:
    """A notebook of the test's own in ``work/``, by default the released one."""
    path = lab.course.work / lesson / f"{name}.ipynb"
    nbformat.write(notebook or nbformat.read(lab.course.release_notebook(lesson), as_version=4), path)
    return path


@dataclass(frozen=True)
class WrongAnswer:
    """A wrong answer of the bank that a visible check finds."""

    exercise: str
    check: str  # the visible check that fails
    says: str  # words of its message
    code: str


def wrong_answer(course: Course, lesson: str) -> WrongAnswer:
    """The bank's first wrong answer whose message a visible check shows."""
    cells = nbformat.read(course.release_notebook(lesson), as_version=4).cells
    visible = {cell.metadata.nbgrader.grade_id for cell in cells if cell.metadata.course.get("role") == "check"}
    stubs = {cell.id: cell.source for cell in cells}
    for answer in read_bank(course, lesson):
        if not defined_names(stubs[answer.exercise]) <= defined_names(answer.text):
            continue  # a stub that brings a function for its checks
        for check, words in answer.fails.items():
            if check in visible and words != "neutral":
                return WrongAnswer(answer.exercise, check, words, answer.text)
    raise AssertionError(f"no wrong answer in {lesson}/answers that a visible check finds")


def in_cell(notebook: nbformat.NotebookNode, name: str) -> nbformat.NotebookNode:
    return next(cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade_id") == name)


def test_the_printed_address_opens_the_index_and_the_index_lessons(lab: Lab, page: Page, picture) -> None:
    assert "/lab/tree/index.ipynb" in lab.url
    page.goto(lab.url)
    expect(page.get_by_role("heading", name="Parallel TensorFlow")).to_be_visible(timeout=60_000)
    indicator = page.locator(".jp-NotebookPanel .jp-Notebook-ExecutionIndicator").first  # a narrow toolbar has a copy
    expect(indicator).to_have_attribute("data-status", "idle")
    assert page.locator(".jp-Dialog, .jp-toast-message").count() == 0, "nothing pops up over the lesson"
    expect(page.locator(".jp-OutputArea table")).to_contain_text("not begun")  # without running anything
    picture(page, "index")
    page.get_by_role("link", name="00 Start here").first.click()
    expect(page.get_by_role("heading", name="Lesson 00 · Start here")).to_be_visible(timeout=60_000)
    page.get_by_role("link", name="01 Device placement").first.click()
    expect(page.get_by_role("heading", name="Lesson 01 · Device placement")).to_be_visible(timeout=60_000)
    page.locator(".jp-BreadCrumbs-home").click()
    folders = page.locator(".jp-FileBrowser .jp-DirListing-itemName")
    expect(folders.filter(has_text=PLACEMENT)).to_be_visible()
    assert sorted(folders.all_inner_texts()) == [*released(lab.course), "index.ipynb"], (
        "the learner's lessons and nothing else"
    )


def test_a_copy_that_was_only_opened_and_saved_still_counts_as_unchanged(lab: Lab, page: Page) -> None:
    copy = lab.course.work_notebook(START)
    before = copy.read_bytes()
    NotebookPage(page, lab, copy).saved()
    assert copy.read_bytes() != before, "JupyterLab wrote its own metadata; if not, this test asks nothing"
    assert content(copy.read_bytes()) == content(before)


def test_instructor_tools_are_hidden(lab: Lab, page: Page) -> None:
    NotebookPage(page, lab, lab.course.work_notebook(START))
    expect(page.get_by_role("button", name="Validate")).to_be_visible()
    menus = page.locator(".lm-MenuBar-itemLabel").all_inner_texts()
    assert "File" in menus
    assert "Nbgrader" not in menus
    sides = page.locator(".jp-SideBar .lm-TabBar-tab").evaluate_all("tabs => tabs.map(tab => tab.title)")
    assert not [title for title in sides if "Assignment" in title], sides
    page.keyboard.press("Control+Shift+C")
    search = page.get_by_placeholder("Search")
    palette = page.locator(".lm-CommandPalette-item")
    search.fill("run all cells")
    expect(palette.first).to_be_visible()  # the palette does find what is there
    for tool in ("formgrader", "create assignment", "assignment list", "course list"):
        search.fill(tool)
        expect(palette).to_have_count(0)
    assert page.request.get(lab.page_url("/formgrader")).status == 404


def test_a_folded_cell_runs_folded_and_its_dots_unfold_it(lab: Lab, page: Page) -> None:
    notebook = NotebookPage(page, lab, copy(lab, START, "folded"))
    cell = notebook.cell("shared-quiet_start")
    cell.click()  # in the middle of the bar
    page.keyboard.press("Shift+Enter")
    expect(cell.locator(".jp-OutputArea")).to_contain_text("TensorFlow", timeout=60_000)
    expect(cell.locator(".jp-InputPlaceholder")).to_be_visible()
    cell.locator(".jp-InputPlaceholder .jp-MoreHorizIcon").click()
    expect(cell.locator(".cm-content")).to_be_visible()


def test_lesson_01_with_right_answers_runs_to_its_end(lab: Lab, page: Page, picture) -> None:
    answered = solved(lab.course, PLACEMENT)
    notebook = NotebookPage(page, lab, copy(lab, PLACEMENT, "solved", answered))
    notebook.run_all(last_code(answered))
    expect(page.locator('[data-mime-type="application/vnd.jupyter.stderr"]')).to_have_count(0)
    expect(page.locator('[data-mime-type="application/vnd.jupyter.error"]')).to_have_count(0)
    after = notebook.saved()
    outputs = [output for cell in after.cells for output in cell.get("outputs", [])]
    assert [cell.id for cell in after.cells if cell.cell_type == "code" and not cell.execution_count] == []
    assert [o for o in outputs if o.output_type == "error" or o.get("name") == "stderr"] == []
    assert "encryption" not in lab.text(), f"its kernel warns in the learner's terminal:\n{lab.text()}"
    for place in (0.2, 0.5, 0.8, 1):
        notebook.panel.locator(".jp-Cell").nth(round(place * (len(after.cells) - 1))).scroll_into_view_if_needed()
        picture(page, f"lesson-01-{place}")


def test_a_wrong_answer_shows_its_message_and_a_right_one_its_points(lab: Lab, page: Page, picture) -> None:
    wrong = wrong_answer(lab.course, PLACEMENT)
    notebook = NotebookPage(page, lab, copy(lab, PLACEMENT, "mine"))
    notebook.run(*[name for name in notebook.index if name.startswith("shared-")])
    output = notebook.cell(wrong.check).locator(".jp-OutputArea")
    notebook.run(wrong.check)
    expect(output).to_contain_text("Run the exercise's cell first")
    notebook.write(wrong.exercise, wrong.code)
    notebook.run(wrong.check)
    expect(output).to_contain_text(wrong.says)
    expect(output).to_contain_text("✗ failed")
    expect(output).to_contain_text("0 of ")
    expect(output.locator('[data-mime-type="application/vnd.jupyter.stderr"]:visible')).to_have_count(0)
    picture(page, "a-wrong-answer")
    notebook.write(wrong.exercise, in_cell(solved(lab.course, PLACEMENT), wrong.exercise).source)
    notebook.run(wrong.check)
    expect(output).to_contain_text("✓ passed")
    expect(output).to_contain_text(re.compile(r"([1-9]\d*) of \1 point"))
    picture(page, "a-right-answer")


@pytest.mark.spare
def test_the_card_of_a_failed_check_leads_to_the_section_to_reread(lab: Lab, page: Page) -> None:
    wrong = wrong_answer(lab.course, PLACEMENT)
    notebook = NotebookPage(page, lab, copy(lab, PLACEMENT, "reread"))
    notebook.run(*[name for name in notebook.index if name.startswith("shared-")])
    notebook.write(wrong.exercise, wrong.code)
    notebook.run(wrong.check)
    link = notebook.cell(wrong.check).locator(".jp-OutputArea a").first
    expect(link).to_be_visible(timeout=30_000)
    place = str(link.get_attribute("href")).removeprefix("#")
    heading = notebook.panel.locator(f'[id="{place}"], [data-jupyter-id="{place}"]').first
    link.click()
    expect(heading).to_be_in_viewport(timeout=10_000)


def test_run_all_reaches_the_end_of_an_unsolved_lesson(lab: Lab, page: Page) -> None:
    path = copy(lab, START, "unsolved")
    notebook = NotebookPage(page, lab, path)
    notebook.run_all("your-points")
    expect(notebook.cell("your-points").locator(".jp-OutputArea")).to_contain_text("You have 0 of ")
    after = notebook.saved()
    assert [cell.id for cell in after.cells if cell.cell_type == "code" and not cell.execution_count] == []
    errors = [cell.id for cell in after.cells if any(o.output_type == "error" for o in cell.get("outputs", []))]
    visible = [cell.id for cell in after.cells if cell.metadata.course.role == "check"]
    assert errors == visible, "each unwritten check still counts as an error where nbgrader looks"


def test_validate_says_that_hidden_checks_wait(lab: Lab, page: Page) -> None:
    path = copy(lab, START, "solved", solved(lab.course, START))
    said = NotebookPage(page, lab, path).validate().locator("#validation-message")
    assert "passes all the tests" not in said.inner_text()  # inner text is what is visible
    spoken = accessible_text(page, "Validation Results")
    assert "passes all the tests" not in spoken
    assert "Every visible check passes. Hidden checks have not run yet" in spoken
    box = said.locator("p").evaluate("p => [p.getBoundingClientRect().width, p.getBoundingClientRect().height]")
    assert box[0] > 300, "the sentence has room"
    assert box[1] < 200, "the sentence has room"


def accessible_text(page: Page, title: str) -> str:
    """What the browser hands to a screen reader for the dialog of that title, the generated text included."""
    tree = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    by_id = {node["nodeId"]: node for node in tree}

    def text(node: dict) -> str:
        if node.get("role", {}).get("value") == "StaticText":
            return node.get("name", {}).get("value", "")
        return " ".join(text(by_id[child]) for child in node.get("childIds", []) if child in by_id)

    dialogs = [node for node in tree if node.get("role", {}).get("value") in ("dialog", "alertdialog")]
    return next(said for said in map(text, dialogs) if title in said)


@pytest.mark.spare
def test_validate_shows_the_message_of_a_wrong_answer(lab: Lab, page: Page) -> None:
    wrong = wrong_answer(lab.course, START)
    notebook = solved(lab.course, START)
    in_cell(notebook, wrong.exercise).source = wrong.code
    said = NotebookPage(page, lab, copy(lab, START, "wrong", notebook)).validate().locator("#validation-message")
    expect(said).to_contain_text("The following cell failed:")
    error = said.locator("pre").nth(1)
    expect(error).to_contain_text(wrong.says)
    expect(error).to_be_in_viewport()
    assert "AssertionError" not in error.inner_text(), "the check's own words, no traceback"


def test_notebook_7_opens_the_same_files(lab: Lab, page: Page) -> None:
    page.goto(lab.page_url(f"/notebooks/{START}/{START}.ipynb"))
    expect(page.get_by_role("heading", name="Lesson 00 · Start here")).to_be_visible(timeout=60_000)
    expect(page.get_by_role("button", name="Validate")).to_be_visible()
    assert "Nbgrader" not in page.locator(".lm-MenuBar-itemLabel").all_inner_texts()
