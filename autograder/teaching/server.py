"""An extension of the Jupyter server that ``course teacher`` starts: written answers, downloads, the class report.

They are pages of that server, so they are behind its token, and answer to this machine alone unless the teacher said
otherwise. What learners wrote stands in them as text; a Content-Security-Policy lets the browser run the page's own
script and no other, and fetch nothing from elsewhere.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import Any

import jinja2
from jupyter_server.base.handlers import JupyterHandler
from jupyter_server.serverapp import ServerApp
from jupyter_server.utils import url_path_join
from markupsafe import Markup
from nbgrader.apps.api import NbGraderAPI
from sqlalchemy.exc import OperationalError
from tornado import web

from ..classroom.handing_over import listed_time
from ..classroom.plain_files import plain_bytes
from ..classroom.systems import NAMES
from ..errors import CourseError
from ..learning.formgrader import nonce_of, safe_markdown
from ..paths import Course
from ..reports import page
from ..wording import typed
from . import collecting, written

MAX_PAGE = 50_000_000  # bytes of a report
FIELDS = ("lesson", "system", "pattern", "replace", "student")  # of the form for downloads
STATES = {written.WAITS: "✎ waits", written.GRADED: "✓ graded", written.EMPTY: "○ nothing written"}
BUSY = "Another program is writing the gradebook just now."


@lru_cache(maxsize=1)
def templates() -> jinja2.Environment:
    """The pages of this room, beside those of reports; what they print is escaped."""
    base = page.templates()
    assert base.loader is not None
    loaders = [jinja2.FileSystemLoader(Path(__file__).parent), base.loader]
    made = base.overlay(loader=jinja2.ChoiceLoader(loaders))
    made.globals["typed"] = typed
    made.filters["markdown"] = lambda text: Markup(safe_markdown(text))
    return made


class TeacherHandler(JupyterHandler):
    """What all of these pages share."""

    forms = "'none'"  # where a page's form may be sent to

    @property
    def course(self) -> Course:
        return Course(Path(self.settings["server_root_dir"]).expanduser().resolve())

    @property
    def content_security_policy(self) -> str:
        usual: Any = JupyterHandler.content_security_policy  # a property
        own = f"script-src 'nonce-{nonce_of(self)}'; style-src 'unsafe-inline'; connect-src 'self'"
        return (
            f"{usual.fget(self)}; default-src 'none'; {own}; img-src data:; base-uri 'none'; form-action {self.forms}"
        )

    def show(self, name: str, **values: Any) -> None:
        home = url_path_join(self.base_url, "course")
        known = {"home": home, "formgrader": url_path_join(self.base_url, "formgrader"), "nonce": nonce_of(self)}
        self.finish(templates().get_template(name).render(**known, xsrf=self.xsrf_token.decode(), **values))

    def write_error(self, status_code: int, **kwargs: Any) -> None:
        """A page with the sentence that says what is wrong."""
        error = kwargs.get("exc_info", (None, None, None))[1]
        said = error.log_message if isinstance(error, web.HTTPError) and error.log_message else "This page failed."
        self.show("problem.html.j2", said=said)


class QuestionsHandler(TeacherHandler):
    """``GET /course/written``: every written question, and how many answers wait."""

    @web.authenticated
    def get(self) -> None:
        try:
            with written.opened(self.course) as gradebook:
                counts = written.counts(gradebook)
        except CourseError as error:
            raise web.HTTPError(404, str(error)) from error
        lessons = sorted({lesson for lesson, _ in counts} & set(self.course.lessons()))
        rows = [(asked, counts.get((lesson, asked.name))) for lesson in lessons for asked in self._of(lesson)]
        self.show("questions.html.j2", rows=[(asked, count) for asked, count in rows if count])

    def _of(self, lesson: str) -> list[written.Question]:
        try:
            return written.questions(self.course, lesson)
        except CourseError as error:
            raise web.HTTPError(404, str(error)) from error


class WrittenHandler(TeacherHandler):
    """``/course/written/LESSON/QUESTION``: all answers to one question; a POST saves one learner's points."""

    @web.authenticated
    def get(self, lesson: str, name: str) -> None:
        after = self.get_argument("after", "")
        try:
            asked = written.question(self.course, lesson, name)
            with written.opened(self.course) as gradebook:
                count = written.counts(gradebook, asked).get((lesson, name), written.Count())
                shown = written.answers(self.course, gradebook, asked, after)
        except CourseError as error:
            raise web.HTTPError(404, str(error)) from error
        self.show("written.html.j2", asked=asked, shown=shown, count=count, is_first=not after, words=STATES)

    @web.authenticated
    def post(self, lesson: str, name: str) -> None:
        try:
            asked = written.question(self.course, lesson, name)
            said = json.loads(self.request.body)
            if not isinstance(said, dict):
                raise ValueError
            submission, given = str(said.get("submission")), (said.get("points"), said.get("comment"), said.get("seen"))
            saved = written.save(self.course, asked, submission, *given)
        except written.Changed as error:
            self._refuse(409, str(error))
        except CourseError as error:
            self._refuse(400, str(error))
        except (ValueError, RecursionError):
            self._refuse(400, "This is not what the page sends.")
        except OperationalError:
            self._refuse(503, BUSY)
        else:
            about = {"waits": saved.count.waits, "graded": saved.count.graded, "seen": asdict(saved.seen)}
            self.finish({**about, "state": saved.state, "said": STATES[saved.state]})

    def _refuse(self, status: int, why: str) -> None:
        self.set_status(status)
        self.finish({"why": why})


class CollectHandler(TeacherHandler):
    """``/course/collect``: a form for what a class handed in elsewhere; a POST collects it and shows what was done."""

    forms = "'self'"

    @web.authenticated
    def get(self) -> None:
        self._page(collecting.Asked(), None)

    @web.authenticated
    async def post(self) -> None:
        """The token against forged requests is checked before this, as for every POST of the server."""
        asked = collecting.Asked()
        try:
            asked = collecting.checked(self.course, {name: self.get_body_argument(name, "") for name in FIELDS})
            files = [(file.filename, file.body) for file in self.request.files.get("file", ())]
            self.request.files.clear()
            self.request.body = b""  # a second copy of them
            answer = await collecting.run(self.course, asked, files)
        except CourseError as error:
            self.set_status(400)
            answer = collecting.Answer(refused=str(error))
        self._page(asked if answer.refused else collecting.Asked(), answer)  # the next download is another one

    def _page(self, asked: collecting.Asked, answer: collecting.Answer | None) -> None:
        self.show(
            "collect.html.j2",
            asked=asked,
            answer=answer,
            lessons=self.course.lessons(),
            systems=[(key, name) for key, name in NAMES.items() if key != "pattern"],
            types=",".join(collecting.TYPES),
            limits=collecting.limits(),
            max_bytes=collecting.MAX_UPLOAD,
            max_files=collecting.MAX_FILES,
            too_much=collecting.too_much(),
        )


class ReportHandler(TeacherHandler):
    """``GET /course/class/...``: the class report and what it links to, as `course grade` wrote them."""

    @property
    def content_security_policy(self) -> str:
        return f"{super().content_security_policy}; sandbox allow-popups allow-same-origin allow-top-navigation"

    @web.authenticated
    def get(self, path: str) -> None:
        parts = path.split("/")
        reports = parts[0] in ("report.html", "misconceptions", "feedback") and path.endswith(".html")
        if not reports or any(part.startswith(".") or not part or "\\" in part for part in parts):
            raise web.HTTPError(404, "There is no such report.")
        try:
            self.finish(plain_bytes(self.course.classroom.joinpath(*parts), MAX_PAGE, single=False))
        except (OSError, ValueError) as error:
            raise web.HTTPError(404, f"There is no such report. Run {typed('grade')}; it writes them.") from error


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": "autograder.teaching.server"}]


def _load_jupyter_server_extension(serverapp: ServerApp) -> None:
    NbGraderAPI.get_submitted_timestamp = listed_time  # Formgrader's, in this server
    base = url_path_join(serverapp.web_app.settings["base_url"], "course")
    serverapp.web_app.add_handlers(
        ".*$",
        [
            (url_path_join(base, "written/?"), QuestionsHandler),
            (url_path_join(base, r"written/(\w+)/(\w+)"), WrittenHandler),
            (url_path_join(base, "collect/?"), CollectHandler),
            (url_path_join(base, "class/(.+)"), ReportHandler),
        ],
    )
