"""The page *Collect downloads*: its handlers in a server of Tornado's, as `course teacher` puts them into Jupyter's."""

from __future__ import annotations

import asyncio
import html
import http.client
import io
import re
import subprocess
import sys
import tempfile
import threading
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from jupyter_server.auth.authorizer import AllowAllAuthorizer
from jupyter_server.auth.identity import IdentityProvider
from tornado import web
from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets

from autograder.classroom.grading_lock import only_grader
from autograder.grading.reading import MAX_FILE_BYTES
from autograder.paths import Course
from autograder.teaching import collecting
from autograder.teaching.server import CollectHandler
from tests.unit.test_collect import CANVAS, LESSON, ROSTER, submitted

XSRF = "2|00000000|00000000000000000000000000000000|1700000000"
BOUNDARY = "between-two-fields"
END = f"--{BOUNDARY}--\r\n".encode()
TOKEN = "a-token-of-the-teacher"


@pytest.fixture
def course(tmp_path: Path) -> Course:
    root = tmp_path / "course"
    (root / "solutions" / LESSON).mkdir(parents=True)
    (root / "solutions" / LESSON / f"{LESSON}.py").touch()
    (root / "classroom").mkdir()
    (root / "classroom" / "roster.csv").write_text(ROSTER)
    return Course(root)


def part(about: str, content: bytes) -> bytes:
    """One field of a form, as browsers send it."""
    return f"--{BOUNDARY}\r\nContent-Disposition: form-data; {about}\r\n\r\n".encode() + content + b"\r\n"


class Server:
    """The page's server in a thread of its own; a browser that has signed in has a cookie."""

    def __init__(self, course: Course) -> None:
        self.ready, self.loop = threading.Event(), asyncio.new_event_loop()
        self.sockets = bind_sockets(0, "127.0.0.1")
        self.port = self.sockets[0].getsockname()[1]
        self.thread = threading.Thread(target=self._serve, args=(course,))
        self.thread.start()
        assert self.ready.wait(60)
        status, _, cookies = self.ask("GET", "/course/collect?token=" + TOKEN)
        assert status == 200
        self.cookie = "; ".join(
            [f"_xsrf={XSRF}", *(cookie.split(";")[0] for cookie in cookies if "_xsrf" not in cookie)]
        )

    def _serve(self, course: Course) -> None:
        asyncio.set_event_loop(self.loop)
        HTTPServer(application(course)).add_sockets(self.sockets)
        self.loop.call_soon(self.ready.set)
        self.loop.run_forever()

    def stop(self) -> None:
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        for socket in self.sockets:
            socket.close()
        self.loop.close()

    def ask(self, method: str, path: str, body: bytes = b"", **headers: str) -> tuple[int, str, list[str]]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        try:
            connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
            answer = connection.getresponse()
            self.page = answer.read().decode()
            words = html.unescape(re.sub(r"<[^>]*>", " ", self.page))
            return answer.status, " ".join(words.split()), answer.headers.get_all("Set-Cookie") or []
        finally:
            connection.close()

    def upload(self, files: dict[str, bytes], cookie: str | None = None, **fields: str) -> tuple[int, str]:
        """Press *Collect*, by what the browser sends; the status, and the words of the page."""
        body = b"".join(
            [part(f'name="{name}"', text.encode()) for name, text in ({"_xsrf": XSRF} | fields).items()]
            + [part(f'name="file"; filename="{name}"', content) for name, content in files.items()]
        )
        kind = f"multipart/form-data; boundary={BOUNDARY}"
        cookies = self.cookie if cookie is None else cookie
        status, words, _ = self.ask("POST", "/course/collect", body + END, Content_Type=kind, Cookie=cookies)
        return status, words


def application(course: Course) -> web.Application:
    provider = IdentityProvider(token=TOKEN)
    return web.Application(
        [("/course/collect/?", CollectHandler)],
        base_url="/",
        server_root_dir=str(course.root),
        cookie_secret="kept by the server",
        xsrf_cookies=True,
        identity_provider=provider,
        authorizer=AllowAllAuthorizer(identity_provider=provider),
        allow_remote_access=True,
        login_url="/login",
        serverapp=None,
    )


@pytest.fixture
def server(course: Course) -> Iterator[Server]:
    made = Server(course)
    yield made
    made.stop()


def zipped(files: Mapping[str, str | bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, content in files.items():
            opened.writestr(name, content)
    return made.getvalue()


def test_a_full_disk_is_a_sentence_on_the_page(server, course, monkeypatch):
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(collecting, "put_down", full)
    status, said = server.upload({"submissions.zip": zipped(CANVAS)})
    assert status == 400 and "The disk has no room left for a copy of the download." in said and not submitted(course)


def test_a_download_is_collected_and_each_notebook_is_told(server, course):
    strange = {"bobcharlie_7_8_01_sums.ipynb": "whose?"}
    status, said = server.upload({"submissions.zip": zipped(CANVAS | strange)})
    assert status == 200 and "3 taken, 0 there already" in said
    assert submitted(course) == {f"ada/{LESSON}": "ada", f"jose/{LESSON}": "josé", f"o_neill/{LESSON}": "seán"}
    assert f"José Núñez jose {LESSON} Canvas not said · marked late" in said
    assert f"Ada Lovelace ada {LESSON} Canvas not said" in said
    assert "bobcharlie is not in classroom/roster.csv" in said

    assert "0 taken, 3 there already" in server.upload({"submissions.zip": zipped(CANVAS)})[1]
    other = zipped({"lovelaceada_340934_1_01_sums.ipynb": "another"})
    assert "something else is there already" in server.upload({"a.zip": other})[1]
    assert submitted(course)[f"ada/{LESSON}"] == "ada"
    assert "is kept in classroom/replaced/" in server.upload({"a.zip": other}, replace="1")[1]
    assert submitted(course)[f"ada/{LESSON}"] == "another"
    assert (course.classroom / "replaced" / LESSON / "ada" / "1" / f"{LESSON}.ipynb").read_text() == "ada"


def test_what_a_teacher_chooses_on_the_page_is_followed(server, course):
    loose = {"Ada Lovelace+work.ipynb": b"ada"}
    status, said = server.upload(loose, lesson=LESSON, pattern="{name}+{file}")
    assert status == 200 and "1 taken" in said
    assert submitted(course) == {f"ada/{LESSON}": "ada"}
    server.upload({"a.txt": b""}, lesson=LESSON, replace="1")
    assert "<option selected>" in server.page and 'value="1" checked' in server.page, "nothing was done yet"
    server.upload(loose, lesson=LESSON, pattern="{name}+{file}", replace="1")
    assert "<option selected>" not in server.page and 'value="1" checked' not in server.page, "the next one is another"


def test_hostile_downloads_are_a_sentence_each_and_the_others_are_taken(server, course):
    bomb = zipped({"mullerjorg_5_6_01_sums.ipynb": bytes(MAX_FILE_BYTES + 1)})
    leaving = zipped({"../../../lovelaceada_1_2_01_sums.ipynb": "out", "núñezjosé_3_4_01_sums.ipynb": "josé"})
    status, said = server.upload({
        "bomb.zip": bomb, "leaving.zip": leaving, "unknown.zip": zipped({"x.ipynb": "?"}), "broken.zip": b"no zip",
        "<img src=x onerror=taken=1>.zip": zipped({"words.txt": ""}),
    })  # fmt: skip
    assert status == 200 and "1 taken" in said
    assert "bomb.zip: mullerjorg_5_6_01_sums.ipynb was left out: it has more than 61 MB." in said
    assert "../../../lovelaceada_1_2_01_sums.ipynb was left out: it is a link, leads out of its folder" in said
    assert "unknown.zip was not collected: its shape is not known" in said
    assert "broken.zip was not collected: it is no zip and no tar" in said
    assert "<img src=x onerror=taken=1>.zip was not collected: there is no notebook (.ipynb) in it." in said
    assert submitted(course) == {f"jose/{LESSON}": "josé"}
    left = {path.name for path in course.root.parent.iterdir()}
    assert left == {"course"}, "nothing lies outside the course"


@pytest.mark.parametrize(
    ("files", "fields", "why"),
    [
        ({}, {}, "Choose a file first."),
        ({"a.zip": b"", "../run.sh": b""}, {}, "'run.sh' is no zip, tar or notebook"),
        ({f"{number}.zip": b"" for number in range(collecting.MAX_FILES + 1)}, {}, "at most 50 files and 256 MB"),
        ({"a.zip": b""}, {"lesson": "../.."}, "There is no such lesson."),
        ({"a.zip": b""}, {"system": "pattern"}, "There is no such system."),
        ({"a.zip": b""}, {"pattern": "{name}" * 50}, "A pattern or an id has at most 200 characters."),
    ],
)
def test_what_the_page_does_not_send_is_refused(server, course, files, fields, why):
    status, said = server.upload(files, **fields)
    assert status == 400 and why in said and "Not collected" in said
    assert submitted(course) == {}


def test_more_than_fits_is_refused(server, monkeypatch):
    monkeypatch.setattr(collecting, "MAX_UPLOAD", 1 << 20)
    status, said = server.upload({"a.zip": bytes(1 << 20), "b.zip": b"1"})
    assert status == 400 and "at most 50 files and 1 MB at once. For more, use `course collect FILE`" in said


def test_only_the_teacher_and_only_from_the_page(server, course):
    files = {"submissions.zip": zipped(CANVAS)}
    assert server.upload(files, _xsrf="")[0] == 403
    assert server.upload(files, _xsrf="2|00000000|11111111111111111111111111111111|1700000000")[0] == 403
    assert server.upload(files, cookie=f"_xsrf={XSRF}")[0] == 403, "not signed in"
    assert server.ask("GET", "/course/collect")[0] == 302, "to the page where one signs in"
    assert submitted(course) == {}


def test_nothing_is_collected_while_the_class_is_graded(server, course):
    with only_grader(course):
        said = server.upload({"submissions.zip": zipped(CANVAS)})[1]
    assert "Not collected" in said and "This class is being graded already" in said
    assert submitted(course) == {}


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("C:\\Downloads\\a.zip", "a.zip"),
        ("../../b.TAR", "b.TAR"),
        ("x\u202egpj\n.zip", "xgpj.zip"),
        ("名" * 300 + ".zip", "名" * 80 + ".zip"),
    ],
)
def test_an_uploaded_name_is_a_plain_one(sent, kept):
    assert collecting.plain_name(sent) == kept


def test_what_a_stopped_collector_has_unpacked_goes_with_the_page_s_own(course, monkeypatch):
    """It cannot take it away itself, as it is killed."""
    places = []
    popen = collecting.subprocess.Popen

    def noted(*args, **options):
        places.append(Path(options["env"]["TMPDIR"]))
        return popen(*args, **options)

    monkeypatch.setattr(collecting.subprocess, "Popen", noted)
    monkeypatch.setattr(collecting, "LONGEST", 0.0)
    answer = asyncio.run(collecting.run(course, collecting.Asked(), [("a.zip", b"")]))
    assert "was stopped" in answer.refused
    assert len(places) == 1 and places[0] != Path(tempfile.gettempdir()) and not places[0].exists()


STOPPED = """
import asyncio, subprocess, sys
from pathlib import Path
from autograder.paths import Course
from autograder.teaching import collecting

def sleeps(command, env, **options):
    print(command[-1], env["TMPDIR"], flush=True)
    return popen([sys.executable, "-c", "import time; time.sleep(100)"], **options)

popen, collecting.subprocess.Popen = subprocess.Popen, sleeps
loop = asyncio.new_event_loop()
waits = loop.create_task(collecting.run(Course(Path(".")), collecting.Asked(), [("a.zip", b"x" * 1000)]))
loop.run_until_complete(asyncio.sleep(0.2))
"""


def test_a_server_that_is_stopped_while_it_collects_leaves_no_upload(tmp_path):
    done = subprocess.run([sys.executable, "-c", STOPPED], capture_output=True, text=True, cwd=tmp_path)
    folders = [Path(folder) for folder in done.stdout.split()]
    assert len(folders) == 2 and not any(folder.exists() for folder in folders), done.stderr
