"""What a teacher sees: `course teacher` in a real browser, on a copy of the course with the made-up class."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from autograder.paths import Course
from tests.browser.test_reading import violations
from tests.servers import Lab, copy_of_course, running

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.xdist_group("browser")]

START = "00_start_here"
STUDENT = "demo-half-right"


@pytest.fixture(scope="module")
def lab(course: Course, tmp_path_factory: pytest.TempPathFactory, chromium: str) -> Iterator[Lab]:
    mine = copy_of_course(course, tmp_path_factory.mktemp("teacher"))
    demo = [sys.executable, "-m", "autograder", "demo"]
    subprocess.run(demo, env={**os.environ, "COURSE_ROOT": str(mine.root)}, check=True, capture_output=True)
    with running(mine, command="teacher") as lab:
        yield lab


def test_formgrader_lists_the_lessons(lab: Lab, page: Page) -> None:
    assert (lab.course.classroom / "exchange").is_dir()
    assert not lab.course.work.exists(), "a teacher's start makes no learner's copies"
    page.goto(lab.url)
    page.locator(".lm-MenuBar-itemLabel", has_text="Nbgrader").click(timeout=60_000)
    page.locator(".lm-Menu-itemLabel", has_text="Formgrader").first.click()
    frame = page.frame_locator("iframe[src*=formgrader]")
    for lesson in lab.course.lessons():
        expect(frame.get_by_role("link", name=lesson)).to_be_visible()
    assert frame.locator("tbody td.name").all_inner_texts() == lab.course.lessons(), "and nothing else"


def test_formgraders_generate_button_makes_what_course_build_made(lab: Lab, page: Page) -> None:
    release = lab.course.release_notebook(START)
    built, made = release.read_bytes(), release.stat().st_mtime_ns
    page.goto(lab.page_url("/formgrader"))
    page.locator("tbody tr", has_text=START).locator(".assign a").click()
    expect(page.get_by_text("Successfully created")).to_be_visible(timeout=60_000)
    assert release.stat().st_mtime_ns != made, "it was made anew"
    assert release.read_bytes() == built
    assert [file.name for file in release.parent.iterdir()] == [release.name], "no answers were copied along"


def test_formgraders_autograde_button_gives_the_points_of_course_grade(lab: Lab, page: Page, picture) -> None:
    expected = json.loads((lab.course.classroom / "demo.json").read_text())[STUDENT][START]
    page.goto(lab.page_url("/formgrader"))
    page.locator("tbody tr", has_text=START).locator(".num-submissions a").click()
    row = page.locator("tbody tr", has_text=STUDENT)
    row.locator(".autograde a").click()
    expect(page.get_by_text("Successfully autograded")).to_be_visible(timeout=60_000)
    picture(page, "formgrader-graded")
    page.reload()
    expect(row.locator(".score")).to_have_text(f"{expected['score']:g} / {expected['max_score']:g}")
    expect(row.locator(".status")).to_contain_text("needs manual grading" if expected["waiting"] else "graded")


def test_a_zip_of_canvas_is_collected_by_a_button(lab: Lab, page: Page, picture, tmp_path: Path) -> None:
    """From Formgrader's menu; with a learner of the class, a late one, and one whom the roster does not know."""
    notebook = lab.course.release_notebook(START).read_bytes()
    (lab.course.classroom / "roster.csv").write_text(
        "id,name,email,canvas_id\nada,Ada Lovelace,,340934\njose,José Núñez,,\n", encoding="utf-8"
    )
    download = tmp_path / "submissions.zip"
    with zipfile.ZipFile(download, "w", zipfile.ZIP_DEFLATED) as opened:
        for name in ("lovelaceada_340934_11", "núñezjosé_LATE_340935_12", "<img src=x onerror=taken=1>_7_13"):
            opened.writestr(f"{name}_{START}-1.ipynb", notebook)
    page.goto(lab.page_url("/formgrader"))
    page.get_by_role("link", name="Collect downloads").click()
    picture(page, "collect-form")
    assert violations(page) == []
    page.get_by_label("Zips, tars or notebooks").set_input_files(download)
    page.get_by_role("button", name="Collect").click()
    expect(page.get_by_role("heading", name="2 taken, 0 there already")).to_be_visible(timeout=60_000)
    expect(page.get_by_role("row", name="José Núñez jose")).to_contain_text("not said · marked late")
    expect(page.get_by_role("listitem").filter(has_text="<img src=x onerror=taken=1> is not in")).to_be_visible()
    picture(page, "collect-result")
    assert violations(page) == [] and page.evaluate("window.taken") is None
    for student in ("ada", "jose"):
        assert (lab.course.classroom / "submitted" / student / START / f"{START}.ipynb").read_bytes() == notebook
    page.evaluate("document.querySelector('form').dataset.bytes = 10")
    page.get_by_label("Zips, tars or notebooks").set_input_files(download)
    page.get_by_role("button", name="Collect").click()
    expect(page.get_by_role("status")).to_contain_text("use `course collect FILE` in a terminal")
