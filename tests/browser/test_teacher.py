"""What a teacher sees: `course lab --teacher` in a real browser, on a copy of the course."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from autograder.paths import Course
from tests.servers import copy_of_course, running

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.xdist_group("browser")]


def test_formgrader_lists_the_lessons(course: Course, tmp_path, page: Page, chromium: str) -> None:
    mine = copy_of_course(course, tmp_path)
    with running(mine, "--teacher") as lab:
        assert (mine.classroom / "exchange").is_dir()
        assert not mine.work.exists(), "a teacher's start makes no learner's copies"
        page.goto(lab.url)
        page.locator(".lm-MenuBar-itemLabel", has_text="Nbgrader").click(timeout=60_000)
        page.locator(".lm-Menu-itemLabel", has_text="Formgrader").first.click()
        frame = page.frame_locator("iframe[src*=formgrader]")
        for lesson in mine.lessons():
            expect(frame.get_by_role("link", name=lesson)).to_be_visible(timeout=30_000)
        assert frame.locator("tbody tr td:first-child").all_inner_texts() == mine.lessons(), "and nothing else"
