"""Takes assets/screenshot.png: a lesson at work in JupyterLab, as README's first lines show it.

Run it after the look of lessons or of checks has changed: ``course bench screenshot``. It needs what tests
need (``make setup``) and Chromium. The answer in the picture is one of the bank's wrong ones; nothing is drawn by hand.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import nbformat
from playwright.sync_api import ViewportSize, expect, sync_playwright

from autograder.authoring.answers import read_bank
from autograder.paths import find_course
from tests.browser.conftest import CHROMIUM, QUIET, SECONDS
from tests.browser.jupyter import NotebookPage
from tests.browser.test_student import copy, in_cell, solved
from tests.servers import copy_of_course, running

TARGET = find_course().root / "assets" / "screenshot.png"
LESSON, EXERCISE, ANSWER, CHECK = "05_control_dependencies", "exact", "wrong_exact_read_add_write", "exact-safe"
WINDOW = ViewportSize(width=1280, height=900)


def main() -> None:
    course = find_course()
    notebook = solved(course, LESSON)
    wrong = next(answer for answer in read_bank(course, LESSON) if answer.name == ANSWER)
    in_cell(notebook, EXERCISE).source = wrong.text.strip()
    path = next(filter(None, map(shutil.which, CHROMIUM)), None)
    expect.set_options(timeout=SECONDS * 1000)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=QUIET)
        page = browser.new_page(viewport=WINDOW, reduced_motion="reduce")
        with running(copy_of_course(course, Path(folder, "course"))) as lab:
            lesson = NotebookPage(page, lab, copy(lab, LESSON, LESSON, nbformat.from_dict(notebook)))
            lesson.run_all("your-points")
            page.keyboard.press("Control+B")  # the list of files folds away
            expect(lesson.cell(CHECK)).to_contain_text("failed")
            lesson.cell(CHECK).click(position={"x": 40, "y": 10})
            lesson.cell(EXERCISE).evaluate("cell => cell.scrollIntoView({block: 'start'})")
            page.wait_for_timeout(1000)  # what scrolled has been drawn
            page.screenshot(path=TARGET)
        browser.close()
    print(f"{TARGET.name}: {TARGET.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
