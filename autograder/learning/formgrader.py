"""nbgrader's Formgrader without a way for what a learner handed in to act as the teacher.

Formgrader renders answers with their HTML and scripts live, puts names of people and lessons into its pages and scripts
as they are, and loads settings, which are Python, from any folder that a link names. Here a page is made of cleaned
parts only, and a Content-Security-Policy lets the browser run the scripts of nbgrader's own templates and no others.
It holds for what was recorded earlier too, and for what somebody put into ``classroom/autograded/`` by hand.
"""

from __future__ import annotations

import base64
import hashlib
import html
import re
import secrets
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from functools import lru_cache
from http import HTTPStatus
from pathlib import Path
from typing import Any

import bleach
import jinja2
import nbformat
from bleach.html5lib_shim import Filter
from jinja2.utils import htmlsafe_json_dumps
from jupyter_server.base.handlers import JupyterHandler
from nbconvert.exporters import HTMLExporter
from nbconvert.filters import Highlight2HTML, ansi2html, strip_ansi
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from nbformat import NotebookNode
from nbgrader.apps.api import NbGraderAPI
from nbgrader.server_extensions.formgrader import formgrader, handlers
from nbgrader.server_extensions.formgrader.base import BaseHandler
from tornado.web import HTTPError

from ..grading.display import PICTURES, clean_for_display, picture_text

TAGS = {
    "a", "abbr", "b", "blockquote", "br", "code", "dd", "del", "details", "div", "dl", "dt", "em", "h1", "h2",
    "h3", "h4", "h5", "h6", "hr", "i", "img", "kbd", "li", "ol", "p", "pre", "s", "samp", "span", "strong",
    "sub", "summary", "sup", "table", "tbody", "td", "th", "thead", "tr", "u", "ul", "var",
}  # fmt: skip
OUTSIDE = re.compile(r"(https?://|mailto:)[^\s]", re.IGNORECASE)
PICTURE = re.compile(r"data:(image/(?:png|jpeg));base64,(.*)", re.DOTALL)
PICTURE_BYTES = re.compile(r"data:image/(?:png|jpeg);base64,[A-Za-z0-9+/=]*")
DRAWING = re.compile(r"data:image/svg\+xml;base64,[A-Za-z0-9+/=]*")  # it may hold scripts
LEXER = "python3"  # that of IPython hands what stands behind `%%perl` to Perl's, and some take a short text years
COLOURS = re.compile(r"[a-z]{1,2}\d?")  # what pygments calls the parts of a program
# Markdown, and colours of code and of outputs, can take time with the square of a length, in the server's one thread.
LONG = 5_000  # characters, pictures aside; lessons' own Markdown stays below
BLANK = re.compile(r"\s{200}")  # what colours code goes over these again and again
MANY_ESCAPES = 2_000  # in one output, for its colours
RENDERING_SECONDS = 3.0  # for one page, which takes less than one as a rule
MANY_TAGS = 80_000  # nbconvert reads the whole page once more; a lesson has half as many
SIGNS, MANY_SIGNS = (
    "<>&\"'",
    300_000,
)  # it takes these one by one, which HTML writes as `&lt;`: a second or two for many
LONG_OUTPUT = 100_000  # characters
BEGINNING = 100  # characters that are shown of a text at least
CUT = "\n[…]"
GRADE_ID = re.compile(r"[\w-]{1,200}", re.ASCII)
SCRIPT = re.compile(r"<script\b[^>]*>.+?</script>", re.DOTALL)
VALUE = re.compile(r"\{\{ ([\w.]+) \}\}")
INLINE = re.compile(r"\son[a-z]+=\"([^\"{]+)\"", re.IGNORECASE)  # what a template of nbgrader's does on a click
# In place of MathJax, which nbgrader would fetch from the network and whose scripts no policy can tell from others:
# formulas are shown as they were written, and Formgrader's keys work, which wait for MathJax to say that it is done.
MATHJAX = """{%- macro mathjax(url="") -%}
<script>
window.MathJax = {Hub: {Startup: {signal: {Interest: (done) => setTimeout(() => done("End"), 0)}}}};
</script>
{%- endmacro %}"""


def _own(name: str) -> str:
    """A script or style of this folder, as a part of a page."""
    text, tag = (
        (Path(__file__).parent / name).read_text(encoding="utf-8"),
        "style" if name.endswith("css") else "script",
    )
    return f"\n<{tag}>\n{text}</{tag}>"


# What is put into nbgrader's templates: {what it stands behind: the addition}.
ADDED = {
    '/css/formgrade.css" />': _own("formgrader.css") + _own("formgrader.js"),
    'js/utils.js"></script>': _own("formgrader_links.js"),
    'formgrader/manage_students">Manage Students</a></li>': """
<li role="presentation"><a href="{{ base_url }}/course/collect">Collect downloads</a></li>
<li role="presentation"><a href="{{ base_url }}/course/written">Written answers</a></li>
<li role="presentation"><a href="{{ base_url }}/course/class/report.html">Class report</a></li>""",
}

# What would lead nowhere: a lesson is made by its source, not by an empty folder.
REMOVED = (
    """<tr>
  <td colspan="11">
    <span class="glyphicon glyphicon-plus" aria-hidden="true"></span>
    <a href="#" onClick="createAssignmentModal();">Add new assignment...</a>
  </td>
</tr>
""",
    """          <li>To <b>create</b> an assignment, click the "Add new assignment..." button below.</li>
""",
)

NONCE: ContextVar[str] = ContextVar("nonce", default="")


def allowed(tag: str, name: str, value: str) -> bool:
    """Whether an attribute stays. No ids, classes or styles: Formgrader finds its fields by them."""
    if tag == "a":
        return name == "href" and bool(OUTSIDE.match(value))
    if tag == "img":
        return name == "alt" or (name == "src" and _is_picture(value))
    if tag == "ol":
        return name == "start" and value.isdecimal()
    if name == "class":
        return (tag == "span" and bool(COLOURS.fullmatch(value))) or (tag == "div" and value == "highlight")
    return False


def _is_picture(address: str) -> bool:
    found = PICTURE.fullmatch(address)
    return bool(found and picture_text(found[2], PICTURES[found[1]]))


class _Renderer(IPythonRenderer):
    """Markdown with pictures only where they are in the text itself: a submission comes without its attachments.

    Fenced code has no colours: the name behind a fence chooses what reads it, and that of C takes 180 characters days.
    """

    def block_code(self, code: str, info: str | None = None) -> str:
        return as_it_is(code)

    def image(self, text: str, url: str, title: str | None = None) -> str:
        if _is_picture(url):
            return f'<img src="{html.escape(url)}" alt="{html.escape(text)}">'
        return html.escape(f"![{text}]({url})")


class _Beside(Filter):
    """Lets links open beside the page: inside JupyterLab, which takes orders from what stands in Formgrader's place."""

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for token in super().__iter__():
            if token["type"] == "StartTag" and token["name"] == "a":
                token["data"] |= {(None, "target"): "_blank", (None, "rel"): "noopener noreferrer"}
            yield token


@lru_cache(maxsize=1)
def cleaner() -> bleach.Cleaner:
    """What an answer's page may hold; the rest is shown as the text that it is."""
    protocols = {"http", "https", "mailto", "data"}  # the last for pictures only, see `allowed`
    return bleach.Cleaner(tags=TAGS, attributes=allowed, protocols=protocols, filters=[_Beside])


def is_long(source: str) -> bool:
    """Whether a text might take too long to be more than shown as it is."""
    return len(source) > LONG and len(PICTURE_BYTES.sub(_but_pictures, source)) > LONG


def _but_pictures(found: re.Match[str]) -> str:
    return "" if _is_picture(found[0]) else found[0]


def as_it_is(source: str) -> str:
    """A text as the HTML that shows it unchanged."""
    return f"<pre>{html.escape(source)}</pre>"


def safe_markdown(source: str) -> str:
    """A cell's Markdown as HTML that does nothing; of a drawing, as lessons have them, the words that tell of it.

    Never raises: what Markdown cannot take is shown as it is.
    """
    text = DRAWING.sub("", source)
    if is_long(text):
        return as_it_is(source)
    try:
        rendered = MarkdownWithMath(renderer=_Renderer(escape=False, exclude_anchor_links=True)).render(text)
        return cleaner().clean(rendered)
    except Exception:  # nesting that is too deep, and whatever else a text may bring about in a parser
        return as_it_is(source)


def only_what_is_shown(notebook: NotebookNode) -> NotebookNode:
    """A notebook made anew of what Formgrader's page shows of one: texts, cleaned outputs, nbgrader's marks."""
    shown = nbformat.v4.new_notebook(metadata={"language_info": {"name": "python", "pygments_lexer": LEXER}})
    for cell in notebook.cells:
        make = nbformat.v4.new_code_cell if cell.cell_type == "code" else nbformat.v4.new_markdown_cell
        fresh = make(cell.source if isinstance(cell.source, str) else "", metadata=_marks(cell.metadata))
        if cell.cell_type == "code":
            count = cell.get("execution_count")
            fresh.outputs = [output for output in cell.get("outputs", []) if isinstance(output, dict)]
            fresh.execution_count = count if isinstance(count, int) else None
        shown.cells.append(fresh)
    return clean_for_display(shown)


def _marks(metadata: NotebookNode) -> dict:
    """nbgrader's marks of a cell, where they are such as nbgrader makes; else none, and nothing is graded there."""
    marks, course = metadata.get("nbgrader"), metadata.get("course")
    kept = {"course": {"role": str(course.get("role"))}} if isinstance(course, dict) else {}
    if isinstance(marks, dict) and GRADE_ID.fullmatch(str(marks.get("grade_id"))):
        points = marks.get("points", 0)
        kept["nbgrader"] = {name: marks.get(name) is True for name in ("grade", "solution", "task", "locked")} | {
            "grade_id": marks["grade_id"],
            "points": points if isinstance(points, int | float) else 0,
        }
    return kept


class Escaped(str):
    """A text for nbgrader's templates, which escape nothing: harmless in HTML; ``raw`` is what it was."""

    raw: str


def escaped(value: Any) -> Any:
    """The values of a template, those in its dictionaries too, with every text as :class:`Escaped`."""
    if isinstance(value, dict):
        return {key: escaped(part) for key, part in value.items()}
    if value is None or isinstance(value, bool | int | float):
        return value
    text = Escaped(html.escape(str(value)))
    text.raw = str(value)
    return text


def in_script(value: str) -> str:
    """A value for the inside of a quoted text in a script, where HTML's escapes would be taken by the letter."""
    return htmlsafe_json_dumps(getattr(value, "raw", value))[1:-1]


class OwnScripts(jinja2.BaseLoader):
    """Marks the scripts of templates, before anything is filled in, as the ones that the browser may run."""

    def __init__(self, loader: jinja2.BaseLoader | None) -> None:
        # nbgrader's page for a notebook that is gone asks for these by a name that they no longer have
        macros = Path(handlers.template_path, "formgrade", "formgrade_macros.html.j2").read_text(encoding="utf-8")
        own = {"mathjax.html.j2": MATHJAX, "formgrade_macros.tpl": macros}
        loaders = [jinja2.DictLoader(own), *([loader] if loader else [])]
        self.loader = jinja2.ChoiceLoader(loaders)

    def get_source(
        self, environment: jinja2.Environment, template: str
    ) -> tuple[str, str | None, Callable[[], bool] | None]:
        source, path, is_current = self.loader.get_source(environment, template)
        for place, addition in ADDED.items():
            source = source.replace(place, place + addition)
        for gone in REMOVED:
            source = source.replace(gone, "")
        source = SCRIPT.sub(lambda script: VALUE.sub(r"{{ \1 | in_script }}", script[0]), source)
        return source.replace("<script", '<script nonce="{{ nonce() }}"'), path, is_current


def mark_scripts(environment: jinja2.Environment) -> jinja2.Environment:
    environment.loader = OwnScripts(environment.loader)
    environment.globals["nonce"] = NONCE.get
    environment.filters["in_script"] = in_script
    return environment


class SubmissionPage(HTMLExporter):
    """Formgrader's page of one submission. What it cannot show soon, it shows as plain text, or the beginning of it."""

    _seconds = 0.0  # that rendering has taken so far
    _tags = 0  # that it has made, opening and closing ones
    _signs = Counter[str]()  # of :data:`SIGNS` that it has shown in texts and in outputs

    def _create_environment(self) -> jinja2.Environment:
        return mark_scripts(super()._create_environment())

    def default_filters(self) -> Iterator[Any]:
        yield from super().default_filters()
        yield "markdown2html", self._markdown
        yield "ansi2html", self._output

    def _markdown(self, source: str) -> str:
        source = self._cut(source, "text")
        return self._timed(safe_markdown, source) or as_it_is(source)

    def _code(self, source: str, **about: Any) -> str:
        source = self._cut(source, "text")
        plain = is_long(source) or BLANK.search(source)
        colours = Highlight2HTML(pygments_lexer=LEXER, parent=self)
        coloured = "" if plain else self._timed(lambda text: colours(text, **about), source)
        return coloured or f'<div class="highlight">{as_it_is(source)}</div>'

    def _output(self, text: str) -> str:
        text = self._cut(text, "output", LONG_OUTPUT)
        plain = text.count("\x1b") > MANY_ESCAPES
        return ("" if plain else self._timed(ansi2html, text)) or html.escape(strip_ansi(text))

    def _cut(self, text: str, kind: str, longest: int = sys.maxsize) -> str:
        """A text, or the beginning of one that is too long, or for which the page has too many signs of that kind."""
        room = max(BEGINNING, MANY_SIGNS - self._signs[kind])
        most = longest if sum(map(text.count, SIGNS)) <= room else min(longest, room)
        text = text if len(text) <= most else text[:most] + CUT
        self._signs[kind] += sum(map(text.count, SIGNS))
        return text

    def _timed(self, show: Callable[[str], str], text: str) -> str:
        """The text in HTML; "" once the page has used its time, without that of other work, or has too many tags."""
        if self._seconds > RENDERING_SECONDS or self._tags > MANY_TAGS:
            return ""
        begin = time.thread_time()
        shown = show(text)
        self._seconds += time.thread_time() - begin
        self._tags += shown.count("<")
        return shown

    def from_notebook_node(self, nb: NotebookNode, resources: Any = None, **kwargs: Any) -> tuple[Any, Any]:
        self._seconds, self._tags, self._signs = 0.0, 0, Counter()
        self.filters["highlight_code"] = self._code  # else it makes its own each time
        return super().from_notebook_node(only_what_is_shown(nb), escaped(resources), **kwargs)


def policy(handler: JupyterHandler) -> str:
    """What a browser may do on Formgrader's pages: run nbgrader's scripts, ask this server, and no more."""
    usual: Any = JupyterHandler.content_security_policy  # a property
    return "; ".join(
        [
            usual.fget(handler),
            "default-src 'none'",
            f"script-src 'nonce-{nonce_of(handler)}' 'unsafe-hashes' {own_clicks()}",
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data:",
            "font-src 'self'",
            "connect-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )


@lru_cache(maxsize=1)
def own_clicks() -> str:
    """The hashes of what nbgrader's templates do on a click, e.g. ``toggleAllNames()``: nothing else may."""
    templates = Path(handlers.template_path).rglob("*")
    texts = {text for path in templates if path.is_file() for text in INLINE.findall(path.read_text(encoding="utf-8"))}
    hashes = (base64.b64encode(hashlib.sha256(html.unescape(text).encode()).digest()) for text in sorted(texts))
    return " ".join(f"'sha256-{digest.decode()}'" for digest in hashes)


def nonce_of(handler: Any) -> str:
    """The word that marks the scripts of this one answer of the server."""
    if not hasattr(handler, "_own_scripts"):
        handler._own_scripts = secrets.token_urlsafe(16)
    nonce: str = handler._own_scripts
    return nonce


def protect() -> None:
    """Put all of this into nbgrader's classes, which have no settings for it; before its extension is loaded."""
    formgrader.HTMLExporter = SubmissionPage
    plain_settings, plain_render = formgrader.FormgradeExtension.init_tornado_settings, BaseHandler.render
    plain_finish, plain_api = BaseHandler.on_finish, BaseHandler.api

    def init_tornado_settings(self: formgrader.FormgradeExtension, webapp: Any) -> None:
        plain_settings(self, webapp)
        mark_scripts(webapp.settings["nbgrader_jinja2_env"])

    def render(self: BaseHandler, name: str, **values: Any) -> Any:
        NONCE.set(nonce_of(self))
        return plain_render(self, name, **escaped(values))

    def exporter(self: BaseHandler) -> HTMLExporter:
        NONCE.set(nonce_of(self))
        return self.settings["nbgrader_exporter"]

    def api(self: BaseHandler) -> NbGraderAPI:
        return refused_by_settings(lambda: plain_api.fget(self))

    def on_finish(self: BaseHandler) -> None:
        plain_finish(self)
        begin_anew(self)

    formgrader.FormgradeExtension.init_tornado_settings = init_tornado_settings
    BaseHandler.on_finish = on_finish
    BaseHandler.render = render
    BaseHandler.exporter = property(exporter)
    BaseHandler.api = property(api)
    BaseHandler.content_security_policy = property(policy)
    refuse_other_courses()


def refused_by_settings(make: Callable[[], NbGraderAPI]) -> NbGraderAPI:
    """nbgrader's commands. Settings that cannot be read end a command, but not a server, which reads them each time.

    Raises:
        HTTPError: they cannot be read; it has their sentence.
    """
    try:
        return make()
    except SystemExit as error:
        raise HTTPError(HTTPStatus.SERVICE_UNAVAILABLE, str(error)) from error


def begin_anew(handler: BaseHandler) -> None:
    """Let the next request read what is in the gradebook then: one session serves all, and the page of written answers,
    the grader and nbgrader's commands write by others. What one that failed was about to write is taken back.
    """
    if gradebook := handler.settings.get("nbgrader_gradebook"):
        gradebook.db.rollback()


def refuse_other_courses() -> None:
    """``/formgrader?path=FOLDER`` would run that folder's ``nbgrader_config.py``, also a submission's."""
    opens = handlers.FormgraderHandler.get

    def get(self: handlers.FormgraderHandler) -> Any:
        if self.get_argument("path", ""):
            self.redirect(f"{self.base_url}/formgrader")
            return None
        return opens(self)

    handlers.FormgraderHandler.get = get
