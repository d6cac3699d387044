"""Formgrader's page of a submission, without a server: whatever an answer is, the page is made soon."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from nbgrader.api import Assignment, Gradebook
from nbgrader.server_extensions.formgrader import handlers
from sqlalchemy.exc import SQLAlchemyError
from tornado.web import HTTPError
from traitlets.config import Config

from autograder.learning import formgrader
from autograder.learning.formgrader import LONG, SubmissionPage, begin_anew, refused_by_settings, safe_markdown
from tests.conftest import LESSONS, ROOT

SECONDS = 10  # of this thread, whatever else the machine does; most of these took minutes
SLOW_MARKDOWN = ["a" + " " * 100_000 + "b", "\\\\(" * 50_000, "\\begin{a}" * 20_000]
DRAWN = "data:image/svg+xml;base64,"
SLOW_CODE = ["a" + "\n" * 100_000 + "b", "a." * 100_000, "1." * 100_000, "*" * 200_000]


def page(*cells) -> str:
    settings = Config()
    settings.HTMLExporter.template_name = "formgrade"
    settings.HTMLExporter.extra_template_basedirs = [handlers.template_path]
    names: dict[str, object] = dict.fromkeys(
        ("assignment_id", "notebook_id", "submission_id", "base_url", "notebook_path"), "x"
    )
    resources = {"index": 0, "total": 1} | names
    return SubmissionPage(config=settings).from_notebook_node(new_notebook(cells=list(cells)), resources)[0]


@pytest.mark.parametrize("text", SLOW_MARKDOWN, ids=lambda text: repr(text[:9]))
def test_a_long_answer_is_shown_as_it_was_written(text: str) -> None:
    begin = time.thread_time()
    assert safe_markdown(text).startswith("<pre>")
    assert "<h1>" in safe_markdown("# short"), "others are Markdown"
    assert time.thread_time() - begin < SECONDS


def test_pictures_of_a_lesson_make_no_text_long() -> None:
    picture = "iVBORw0KGgo" + "A" * 5 + "AAAA" * LONG
    assert "<img " in safe_markdown(f"**Look**\n\n![a picture](data:image/png;base64,{picture})")


def test_a_lessons_drawing_is_shown_by_its_words(course) -> None:
    """It may hold scripts; and its bytes would be a wall of letters."""
    for lesson in LESSONS:
        cells = nbformat.read(course.release_notebook(lesson), as_version=4).cells
        drawn = [text for cell in cells if DRAWN in (text := cell.source) and cell.cell_type == "markdown"]
        for text in drawn:
            shown, [words] = safe_markdown(text), re.findall(rf'<img alt="([^"]*)" src="{re.escape(DRAWN)}', text)
            assert f'<img alt="{words}">' in shown and "base64" not in shown
        assert drawn, lesson
    assert "base64" not in safe_markdown(f"![words]({DRAWN}{'A' * LONG})")


@pytest.mark.parametrize("code", SLOW_CODE, ids=lambda code: repr(code[:9]))
def test_long_code_has_no_colours(code: str) -> None:
    begin = time.thread_time()
    shown = page(new_code_cell(code), new_code_cell("x = 1  # <b>"))
    assert time.thread_time() - begin < SECONDS
    assert '<span class="o">=</span>' in shown and "&lt;b&gt;" in shown


@pytest.mark.parametrize("piece", ["\x1b[31mx", "\x1b["])
def test_an_output_of_escapes_alone_has_no_colours(piece: str) -> None:
    cell = new_code_cell("1", outputs=[new_output("stream", text=text) for text in (piece * 200_000, "\x1b[31mred<")])
    begin = time.thread_time()
    shown = page(cell)
    assert time.thread_time() - begin < SECONDS
    assert '<span class="ansi-red-fg">red&lt;</span>' in shown


def test_many_answers_of_bearable_length_are_no_way_round(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formgrader, "RENDERING_SECONDS", 0.5)
    slow = [" " * 200 + "*a" * 2000, "*" * LONG, "a." * (LONG // 2)]
    cells = [make(text) for text in slow for make in (new_markdown_cell, new_code_cell) for _ in range(20)]
    begin = time.thread_time()
    shown = page(new_markdown_cell("# first"), *cells, new_markdown_cell("# last <b>"))
    assert time.thread_time() - begin < SECONDS
    assert "<h1>first</h1>" in shown and "<pre># last &lt;" in shown


def test_many_tags_are_no_way_round(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formgrader, "MANY_TAGS", 1_000)
    shown = page(*[new_markdown_cell("*a* " * 200) for _ in range(20)], new_markdown_cell("# last"))
    assert 400 < shown.count("<em>") < 1_000 and "<pre># last</pre>" in shown


ENDLESS = {
    "c": new_markdown_cell("```c\na " + "//\\\n" * 40 + "\n```"),
    "perl": new_code_cell("%%perl\ns!" + "\\\\" * 40),
    "no picture": new_markdown_cell("\\\\[" * 1600 + " data:image/png;base64," + "A" * 190_000),
}


@pytest.mark.parametrize("kind", ENDLESS)
def test_what_colours_would_take_days_for_is_shown_without(kind: str) -> None:
    """In a process of its own, as nothing else ends the search for one of a lexer's expressions."""
    code = f"from tests.unit.test_formgrader import ENDLESS, page; print(page(ENDLESS[{kind!r}]))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=100, check=True
    )
    assert ENDLESS[kind].source[-9:].strip("`\n") in done.stdout


def test_of_endless_outputs_the_beginning_is_shown() -> None:
    signs = [new_output("stream", text=sign * 900_000) for sign in "<&\"'x"]
    cells = [new_code_cell("1", outputs=signs) for _ in range(8)]
    begin = time.thread_time()
    shown = page(*cells, new_code_cell("x = 1"), new_markdown_cell("# last"))
    assert time.thread_time() - begin < 2 * SECONDS and len(shown) < 6_000_000
    assert shown.count("[…]") == 40 and "<h1>last</h1>" in shown and '<span class="o">=</span>' in shown
    assert "[…]" not in page(new_code_cell("1", outputs=[new_output("stream", text="{'a': 1}, " * 8_000)]))


@pytest.fixture
def alembic(monkeypatch: pytest.MonkeyPatch) -> None:
    """The program that nbgrader makes a gradebook with is found."""
    monkeypatch.setenv("PATH", os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))


@pytest.mark.usefixtures("alembic")
def test_after_a_write_that_failed_the_gradebook_serves_the_next_request() -> None:
    gradebook = Gradebook("sqlite://")
    handler = SimpleNamespace(settings={"nbgrader_gradebook": gradebook})
    gradebook.db.add(Assignment(name=None))
    with pytest.raises(SQLAlchemyError):
        gradebook.db.commit()
    with pytest.raises(SQLAlchemyError):
        gradebook.assignments  # noqa: B018
    begin_anew(handler)
    assert gradebook.assignments == []
    gradebook.close()


@pytest.mark.usefixtures("alembic")
def test_a_page_that_is_loaded_anew_shows_what_another_program_wrote(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path}/gradebook.db"
    shown, other = Gradebook(address), Gradebook(address)
    handler = SimpleNamespace(settings={"nbgrader_gradebook": shown})
    other.add_student("ada", first_name="Ada")
    seen = shown.find_student("ada")  # held, as Formgrader's rows hold each other
    begin_anew(handler)
    other.update_or_create_student("ada", first_name="Augusta")
    assert (seen.first_name, shown.find_student("ada").first_name) == ("Augusta", "Augusta")
    begin_anew(handler)
    shown.close(), other.close()


def test_settings_that_cannot_be_read_do_not_end_the_server() -> None:
    def make() -> Any:
        raise SystemExit("late_percent_per_day = 10% cannot be used")

    with pytest.raises(HTTPError, match="503.*= 10% cannot be used"):
        refused_by_settings(make)
