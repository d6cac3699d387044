"""A real Chromium and a place for screenshots."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from autograder.paths import Course
from tests.servers import Lab, copy_of_course, running

CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SECONDS = 30  # a busy machine takes its time; what is there sooner is found sooner
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of an installed Chromium; without one the tests skip, or fail where they must not skip."""
    if path := next(filter(None, map(shutil.which, CHROMIUM)), None):
        return path
    reason = "no Chromium on PATH: the browser tests did not run. To get it: apt-get install chromium"
    if os.environ.get("CI") == "true" or os.environ.get("COURSE_REQUIRE_BROWSER") == "1":
        pytest.fail(reason, pytrace=False)
    return pytest.skip(reason)


@pytest.fixture(scope="session")
def lab(course: Course, tmp_path_factory: pytest.TempPathFactory, chromium: str) -> Iterator[Lab]:
    """One learner's `course lab` for all tests that need no other; their group keeps them in one worker."""
    with running(copy_of_course(course, tmp_path_factory.mktemp("student"))) as lab:
        yield lab


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    expect.set_options(timeout=SECONDS * 1000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=QUIET)
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Browser, picture: Callable[..., None], request: pytest.FixtureRequest) -> Iterator[Page]:
    """A fresh window; what it shows at the end is kept as a screenshot, also when the test failed."""
    page = browser.new_page(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    page.set_default_timeout(SECONDS * 1000)
    yield page
    picture(page, f"{request.node.name}-end")
    page.close()


@pytest.fixture(scope="session")
def picture(course: Course) -> Callable[..., None]:
    """``picture(page, name)`` keeps a screenshot under ``test-artifacts/browser/``."""
    folder = course.root / "test-artifacts" / "browser"
    folder.mkdir(parents=True, exist_ok=True)
    return lambda page, name: page.screenshot(path=folder / f"{name}.png")
