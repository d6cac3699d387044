"""Shows solved lessons in JupyterLab as a learner sees them, page by page, and counts what they show.

    python -m tests.bench.screens 05 11 --to /tmp/screens --dark

Each lesson runs from top to bottom in a real browser; its pages are kept as pictures, to be looked at. A table says how
many cells are open and how many folded, what share of the height folded bars, checks and prose take, and what is wider
than its cell. It needs what tests need (``make setup``) and Chromium.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from pathlib import Path

import nbformat
from playwright.sync_api import Browser, ViewportSize, expect, sync_playwright

from autograder.paths import find_course
from tests.browser.conftest import CHROMIUM, QUIET, SECONDS
from tests.browser.jupyter import NotebookPage
from tests.browser.test_student import copy, solved
from tests.servers import Lab, copy_of_course, running

WINDOW = ViewportSize(width=1100, height=1500)
LESSON_SECONDS = 900


def show(lab: Lab, browser: Browser, lesson: str, folder: Path, dark: bool) -> str:
    """Run one lesson, keep its pictures, and return its line of the table."""
    page = browser.new_page(viewport=WINDOW, reduced_motion="reduce")
    notebook = solved(lab.course, lesson)
    opened = NotebookPage(page, lab, copy(lab, lesson, lesson, nbformat.from_dict(notebook)))
    page.keyboard.press("Control+B")  # the list of files folds away
    if dark:
        page.emulate_media(color_scheme="dark")
    opened.menu("Run", "Run All Cells")
    last = opened.cell("your-points").locator(".jp-OutputArea-output").first
    expect(last).to_be_attached(timeout=LESSON_SECONDS * 1000)
    opened.wait_until_idle(LESSON_SECONDS)
    heights = opened.panel.locator(".jp-Cell").evaluate_all("cells => cells.map(cell => cell.offsetHeight)")
    kinds = [cell.metadata.get("course", {}).get("role", cell.cell_type) for cell in notebook.cells]
    folded = [bool(cell.metadata.get("jupyter", {}).get("source_hidden")) for cell in notebook.cells]
    whole = sum(heights)

    def share(which: list[bool]) -> str:
        return f"{100 * sum(height for height, one in zip(heights, which, strict=True) if one) / whole:3.0f} %"

    checks = [kind in ("check", "hidden") for kind in kinds]
    prose = [cell.cell_type == "markdown" for cell in notebook.cells]
    wide = opened.too_wide((WINDOW["width"], WINDOW["height"]))
    folder.mkdir(parents=True, exist_ok=True)
    scroller = opened.panel.locator(".jp-WindowedPanel-outer")
    step = int(scroller.evaluate("panel => panel.clientHeight")) - 40
    scroller.evaluate("panel => { panel.scrollTop = 0 }")
    shots, before = 0, -1
    while (top := int(scroller.evaluate("panel => panel.scrollTop"))) != before:
        page.wait_for_timeout(400)  # what scrolled has been drawn
        page.screenshot(path=folder / f"{lesson[:2]}_{shots:02}.png")
        shots, before = shots + 1, top
        scroller.evaluate("(panel, step) => { panel.scrollTop += step }", step)
    page.close()
    told = f"{lesson[:2]:>6} {folded.count(False):5} {sum(folded):6} {whole:9,} {share(checks):>7} {share(prose):>6}"
    return "\n".join([f"{told} {shots:8}", *(f"       too wide: {line}" for line in wide)])


def main(argv: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="course bench screens", description=__doc__.split("\n\n")[0])
    parser.add_argument("lessons", nargs="*", help="e.g. 02 04; all by default")
    parser.add_argument("--to", type=Path, default=Path("test-artifacts", "screens"), help="where the pictures go")
    parser.add_argument("--dark", action="store_true", help="for a browser that asks for dark pages")
    args = parser.parse_args(argv)
    course = find_course()
    path = next(filter(None, map(shutil.which, CHROMIUM)), None)
    expect.set_options(timeout=SECONDS * 1000)
    print("lesson  open folded    pixels  checks  prose pictures")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=QUIET)
        with running(copy_of_course(course, Path(folder, "course"))) as lab:
            for lesson in [course.lesson(name) for name in args.lessons] or course.lessons():
                print(show(lab, browser, lesson, args.to, args.dark), flush=True)
        browser.close()


if __name__ == "__main__":
    main()
