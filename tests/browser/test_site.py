"""The web book in a browser: a lesson's page and the first page, in both themes, and as narrow as a phone."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from autograder.authoring import site
from autograder.paths import Course
from tests.browser.test_reading import violations

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.xdist_group("browser")]


@pytest.fixture(scope="module")
def book(course: Course, tmp_path_factory) -> Iterator[Path]:
    """The book of lesson 00, built as `course site 00` builds it, with pages of its own."""
    root = tmp_path_factory.mktemp("book")
    pages = {name.partition("/")[0] for name in site.PAGES}
    for name in ("notebooks", "solutions", "assets", "README.md", "pyproject.toml", *pages):
        (root / name).symlink_to(course.root / name)
    site.build(Course(root), ["00_start_here"], root / "site", 1)
    yield root / "site"
    shutil.rmtree(root)


def test_the_book_of_a_lesson_shows_what_it_printed(book: Path) -> None:
    assert {path.name for path in book.parent.iterdir() if not path.is_symlink()} == {".site", "site"}
    text = (book / "00_start_here" / "00_start_here.html").read_text()
    assert "Lesson 00 · Start here" in text and "TensorFlow 2." in text
    assert "<summary" in text  # folded cells
    assert "01 Device placement" in (book / "index.html").read_text()
    assert "http://" not in (book / "index.html").read_text().replace("http://www.w3.org", "")


@pytest.mark.parametrize("name", ["index", "00_start_here/00_start_here", "docs/grading"])
@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 1280), ("light", 390)])
def test_a_page_of_the_book_is_for_everybody(
    book: Path, page: Page, picture, name: str, theme: str, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.add_init_script(f"localStorage.setItem('mode', '{theme}'); localStorage.setItem('theme', '{theme}')")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto((book / f"{name}.html").as_uri())
    picture(page, f"book-{name.partition('/')[0]}-{theme}-{width}")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert [found for found in violations(page) if not found.startswith("region")] == []  # the theme's own landmarks
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []  # it can be read offline
