"""Widgets of lessons that draw while they run, in a real JupyterLab."""

from __future__ import annotations

import base64
import io

import matplotlib.image
import nbformat
import pytest
from playwright.sync_api import Page, expect

from autograder.paths import Course
from tests.browser.jupyter import NotebookPage, last_code
from tests.servers import Lab

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.xdist_group("browser")]


def test_the_last_picture_of_who_waits_is_not_blank(course: Course, lab: Lab, page: Page) -> None:
    """The lab's kernel handles widgets in another thread, which may end a figure of pyplot while it is drawn."""
    notebook = nbformat.read(course.release_notebook("04_queues"), as_version=4)
    brings = [cell for cell in notebook.cells if cell.id.startswith("shared-")]
    notebook.cells = brings + [cell for cell in notebook.cells if cell.source.startswith("who_waits()")]
    path = lab.course.work / "04_queues" / "widget.ipynb"
    nbformat.write(notebook, path)
    NotebookPage(page, lab, path).run_all(last_code(notebook))
    button = page.get_by_role("button", name="Run", exact=True)
    expect(button).to_be_visible(timeout=120_000)
    for _ in range(2):
        button.click()
        expect(button).to_be_disabled()
        expect(button).to_be_enabled(timeout=60_000)
        expect(page.get_by_text("The consumer took")).to_be_visible(timeout=60_000)
        picture = page.locator(".jp-OutputArea-output img").last.get_attribute("src")
        assert picture and picture.startswith("data:image/png;base64,")
        pixels = matplotlib.image.imread(io.BytesIO(base64.b64decode(picture.partition(",")[2])))
        assert pixels[..., :3].std() > 0.05
