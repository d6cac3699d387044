"""What a learner wrote and printed, made harmless to look at, whatever shows it."""

from __future__ import annotations

import copy
import html.parser
import re
import time
from collections.abc import Callable
from typing import Any

import mistune
import nbformat
import pytest
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from autograder.grading.display import NOT_SHOWN, clean_for_display, inert_markdown, is_learners, picture_text
from autograder.grading.reading import MAX_CELL_CHARACTERS
from tests.browser.test_hostile_pages import PICTURE, vectors

OUTSIDE = "http://outside.example"


class Acting(html.parser.HTMLParser):
    """Finds what could act in HTML: tags beyond those that Markdown itself makes, attributes beyond ``href``."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        plain = {"p", "h1", "h2", "pre", "code", "em", "strong", "ul", "li", "br", "blockquote", "div", "span", "del"}
        if tag == "a" and dict(attrs).get("href", "#").startswith(("http://", "https://", "mailto:", "#")):
            attrs = [(name, value) for name, value in attrs if name not in ("href", "class", "title")]
        elif tag not in plain:
            self.found.append(self.get_starttag_text() or tag)
        self.found += [f"{tag} {name}" for name, _ in attrs if name not in ("class", "id")]


RENDERERS: dict[str, Callable[[str], Any]] = {
    "as it is": lambda text: text,
    "nbconvert": lambda text: MarkdownWithMath(renderer=IPythonRenderer(escape=False)).render(text),
    "another Markdown": mistune.create_markdown(escape=False, plugins=["table", "url", "strikethrough"]),
}


@pytest.mark.parametrize("renderer", RENDERERS)
@pytest.mark.parametrize("name", vectors(OUTSIDE))
def test_a_written_answer_acts_in_no_viewer(name, renderer):
    text = vectors(OUTSIDE)[name]
    inert = inert_markdown(text)
    assert inert.replace("\u200b", "") == text, "nothing is lost, and nothing else is added"
    assert inert_markdown(inert) == inert
    assert Acting(RENDERERS[renderer](inert)).found == []


def test_the_vectors_do_act_where_nobody_cleans():
    """Else the test above asks nothing."""
    acting = [name for name, text in vectors(OUTSIDE).items() if Acting(RENDERERS["another Markdown"](text)).found]
    assert len(acting) > 20


DRAWN = re.compile(r"(?:`{3}|~{3})[^\S\n]*mermaid")  # by JupyterLab, with the pictures that the diagram names


@pytest.mark.parametrize("space", ["", " ", "\t", "\xa0", "\u2003", "\x0c"])
@pytest.mark.parametrize("fence", ["```", "~~~", "`````", "> ```", "- ~~~", "> 1. ```", "\n\n   ```"])
def test_no_fence_becomes_a_diagram(fence, space):
    text = f"{fence}{space}mermaid\nflowchart TD\n```"
    inert = inert_markdown(text)
    assert DRAWN.search(text) and not DRAWN.search(inert)
    assert inert.replace("\u200b", "") == text and inert_markdown(inert) == inert
    assert inert.endswith("flowchart TD\n```"), "a fence that ends a block still does"


@pytest.mark.parametrize("line", ["```python", "~~~ Python", "````py  ", "> ```text", "- ``` bash"])
def test_code_of_a_usual_language_stays_as_it_is(line):
    for text in (f"My answer:\n\n{line}\nx = 1\n```\n", line):
        assert inert_markdown(text) == text
    shown = RENDERERS["nbconvert"](inert_markdown("```python\nx = 1\n```"))
    assert "highlight" in shown and ">python" not in shown


@pytest.mark.parametrize("word", ["pythonmermaid", "python mermaid", "python\rmermaid", "&#112;y", "c++", "vega-lite"])
def test_only_the_plain_name_of_a_language_stays(word):
    assert inert_markdown(f"```{word}\nx\n```") == f"```\u200b{word}\nx\n```"


def test_no_tex_makes_an_element_with_attributes_of_the_learners():
    assert "\\mmlToken" not in inert_markdown(r"$\mmlToken{mi}[href='http://outside.example']{x}$")


@pytest.mark.parametrize("sign", ["`", "~", "``` ", "~~~`", "```py", "<", "](", "]:", "] ", "![", "\\", "\\data", " "])
def test_cleaning_takes_no_longer_than_reading(sign):
    begin = time.thread_time()
    inert_markdown(sign * (MAX_CELL_CHARACTERS // len(sign)))
    assert time.thread_time() - begin < 2


@pytest.mark.parametrize(
    "text",
    ["a < b and b > c", "**bold**, *slanted*, `code`", "[paper](https://arxiv.org/abs/1)",
     "<https://example.org/a>", "- one\n- two", "| a | b |\n|---|---|\n| 1 | 2 |", "$x^2 < 4$", "1 <2", "x <- y"],
)  # fmt: skip
def test_usual_text_stays_as_it_is(text):
    assert inert_markdown(text) == text


def test_only_what_learners_write_is_changed():
    ours = [
        new_markdown_cell("<details>a</details>", metadata={"course": {"role": role}}) for role in ("prose", "model")
    ]
    theirs = [new_markdown_cell("<b>a</b>", metadata={"course": {"role": role}}) for role in ("written", "added")]
    unknown = [new_markdown_cell("<b>a</b>"), new_markdown_cell("<b>a</b>", metadata={"course": "prose"})]
    notebook = clean_for_display(new_notebook(cells=[*ours, *theirs, *unknown]))
    assert [cell.source for cell in notebook.cells[:2]] == ["<details>a</details>"] * 2
    assert {cell.source for cell in notebook.cells[2:]} == {"<\u200bb>a<\u200b/b>"}
    assert not any(map(is_learners, ours)) and all(map(is_learners, [*theirs, *unknown]))


def test_of_outputs_text_and_pictures_stay():
    html = "<img src=x onerror=taken=1>"
    shown = [
        new_output("stream", name="stderr", text="a<b"),
        new_output("error", ename="E", evalue="v", traceback=["\x1b[31mred\x1b[0m"]),
        new_output("execute_result", {"text/plain": "3"}, execution_count=2),
        new_output("display_data", {"image/png": PICTURE}, metadata={"image/png": {"width": 20}}),
    ]
    rich = new_output(
        "display_data", {"text/html": html, "text/plain": "plain"}, metadata={"text/html": {"isolated": True}}
    )
    only_rich = new_output("display_data", {"application/javascript": html})
    forged = new_output("display_data", {"image/png": f'x" onerror="{html}', "image/jpeg": PICTURE})
    odd = nbformat.from_dict({"output_type": "update_display_data", "data": {"text/html": html}})
    sized = new_output(
        "display_data", {"image/png": PICTURE}, metadata={"image/png": {"width": '1" onload="x', "height": True}}
    )
    wrong = nbformat.from_dict({"output_type": "error", "ename": 3, "evalue": None, "traceback": "text"})
    cell = new_code_cell("1")
    cell.outputs = copy.deepcopy([*shown, rich, only_rich, forged, odd, sized, wrong])
    notebook = new_notebook(cells=[], metadata={"widgets": {"state": html}})
    notebook.cells = [cell]
    clean = clean_for_display(notebook)
    outputs = clean.cells[0].outputs
    assert outputs[:4] == shown, "what is harmless stays as it was"
    assert outputs[4].data == {"text/plain": "plain"} and outputs[4].metadata == {}
    assert [output.data for output in outputs[5:7]] == [{"text/plain": NOT_SHOWN}] * 2
    assert outputs[7].data == {"image/png": PICTURE} and outputs[7].metadata == {}
    assert (outputs[8].ename, outputs[8].evalue, outputs[8].traceback) == ("", "", [])
    assert len(outputs) == 9 and "widgets" not in clean.metadata
    nbformat.validate(clean)


def test_a_picture_is_one_by_its_bytes():
    assert picture_text(f" {PICTURE[:20]}\n{PICTURE[20:]}\n", b"\x89PNG") == PICTURE
    for text in ("", "PHNjcmlwdD4=", PICTURE + '"', PICTURE[1:], "ü"):
        assert picture_text(text, b"\x89PNG") == ""
