"""``course site``: the lessons as a web book, with what they show.

The pages are the learners' notebooks. What they print and draw comes from a run with the instructor's answers, and is
kept by the text that ran, so that a lesson runs again only when it has changed. Answers, hidden checks and model
answers are not on the pages; neither is what cells of exercises printed.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import html
import json
import posixpath
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from .. import __version__
from ..errors import CourseError
from ..grading.lesson import read_lesson
from ..grading.sandbox.client import Client
from ..paths import Course, find_course
from .answers import reference_answers, submission
from .extras import needs
from .navigation import HIDE_INPUT, about

PARTS = Path(__file__).parent / "site"  # Sphinx's settings and the style sheet
KEPT = ".site"  # ignored by git: pages before Sphinx, and what lessons showed
CELL_SECONDS = 300
NOT_ON_A_PAGE = {"hidden", "written", "model"}  # roles of cells that only make sense where one can write and run
OF_AN_EXERCISE = {"solution", "try", "check"}
WIDGET = "application/vnd.jupyter.widget-view+json"
PICTURE = re.compile(r'<img alt="(?P<alt>[^"]*)" src="data:image/svg\+xml;base64,(?P<data>[A-Za-z0-9+/=]+)">')
STILL = re.compile(r"<details>(?=\s*<summary>Picture for reading without a kernel)")
PAGES = {  # pages of the repository that a reader of the book wants, too: {file: its name in the sidebar}
    "docs/teaching.md": "A teacher's guide",
    "docs/cluster.md": "A cluster that grades",
    "deploy/jupyterhub/README.md": "The course on a JupyterHub",
    "docs/grading.md": "How grading works",
    "docs/authors.md": "An author's guide",
    "CONTRIBUTING.md": "The project",
    "SECURITY.md": "Security",
    "CHANGELOG.md": "What changed",
}


def slug(title: str) -> str:
    """A heading's anchor as JupyterLab makes it, so that the lessons' own links hold in the book; Sphinx calls it."""
    return title.replace(" ", "-")


def run_lesson(course: Course, lesson: str) -> dict[str, list[NotebookNode]]:
    """What each cell of a lesson shows with the instructor's answers in it, by the cell's id; kept until it changes.

    Of the exercises only the answers are run, which cells of lesson 12 use: a page shows nothing of checks and trials.

    Raises:
        CourseError: a cell failed.
    """
    from jupyter_client.manager import AsyncKernelManager
    from nbclient import NotebookClient

    texts = read_lesson(course, lesson)
    notebook = nbformat.reads(submission(texts, reference_answers(texts)).decode(), as_version=4)
    notebook.cells = [cell for cell in notebook.cells if cell.cell_type == "code" and _is_run(cell)]
    mark = hashlib.sha256(nbformat.writes(notebook).encode()).hexdigest()[:16]
    kept = course.root / KEPT / "outputs" / f"{lesson}-{mark}.ipynb"
    if not kept.is_file():
        with tempfile.TemporaryDirectory(prefix="course-site-", ignore_cleanup_errors=True) as folder:
            manager = AsyncKernelManager(kernel_name="python3", client_factory=Client)
            resources = {"metadata": {"path": folder}}
            client = NotebookClient(notebook, km=manager, timeout=CELL_SECONDS, resources=resources)
            try:
                client.execute(cleanup_kc=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            except Exception as error:  # a cell's own error, a time-out or a dead kernel
                raise CourseError(f"{lesson} could not be run for its page: {str(error).strip()[-600:]}") from error
        kept.parent.mkdir(parents=True, exist_ok=True)
        for old in kept.parent.glob(f"{lesson}-*.ipynb"):
            old.unlink()
        nbformat.write(notebook, kept)
    return {cell.id: cell.outputs for cell in nbformat.read(kept, as_version=4).cells}


def _role(cell: NotebookNode) -> str:
    return cell.metadata.get("course", {}).get("role", "")


def _is_shown(cell: NotebookNode) -> bool:
    return _role(cell) not in NOT_ON_A_PAGE and cell.id != "your-points"


def _is_run(cell: NotebookNode) -> bool:
    return _is_shown(cell) and (_role(cell) == "solution" or _role(cell) not in OF_AN_EXERCISE)


def page(release: NotebookNode, shown: dict[str, list[NotebookNode]], pictures: Path) -> NotebookNode:
    """A lesson's page: the learner's notebook with what its cells show.

    Args:
        release: the learner's notebook, without outputs.
        shown: the outputs of its cells by id; may lack any.
        pictures: the folder that pictures drawn into the text are put into, as files.
    """
    cells = []
    for cell in release.cells:
        if not _is_shown(cell):
            continue
        if cell.cell_type == "markdown":
            with_files = PICTURE.sub(lambda found: _picture(found["alt"], found["data"], pictures), cell.source)
            cell.source = STILL.sub("<details open>", with_files)
            cell.source = cell.source.replace("(../index.ipynb)", "(../index.md)")
        else:
            tags = [tag for tag in cell.metadata.get("tags", []) if tag != "raises-exception"]
            exercise = _role(cell) in OF_AN_EXERCISE
            cell.metadata["tags"] = [*tags, "exercise"] if exercise else tags
            if HIDE_INPUT in tags:
                cell.source = _without_title(cell)
            cell.outputs = [] if exercise else _without_widgets(shown.get(cell.id, []))
        cells.append(cell)
    return nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": release.metadata["kernelspec"]})


def _picture(alt: str, data: str, folder: Path) -> str:
    """Put a picture into a file; returns it as Markdown of a lesson's page."""
    picture = base64.b64decode(data)
    name = hashlib.sha256(picture).hexdigest()[:16] + ".svg"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(picture)
    return f"![{html.unescape(alt)}](../{folder.name}/{name})"


def _without_title(cell: NotebookNode) -> str:
    """The text of a folded cell; its title becomes the words of the bar that opens it."""
    first, _, rest = cell.source.partition("\n")
    title = first.removeprefix("#@title ")
    if title == first:
        return cell.source
    cell.metadata["mystnb"] = {"code_prompt_show": title, "code_prompt_hide": title}
    return rest


def _without_widgets(outputs: list[NotebookNode]) -> list[NotebookNode]:
    """Outputs but for widgets, which need a kernel, and what IPython knows of them."""
    return [output for output in outputs if WIDGET not in output.get("data", {})]


def write_pages(course: Course, lessons: list[str], folder: Path, workers: int) -> None:
    """Write everything that Sphinx reads into an empty ``folder``; ``workers`` lessons run at once."""
    with ThreadPoolExecutor(workers) as pool:
        shown = dict(zip(lessons, pool.map(lambda lesson: run_lesson(course, lesson), lessons), strict=True))
    for lesson in lessons:
        release = nbformat.read(course.release_notebook(lesson), as_version=4)
        path = folder / lesson / f"{lesson}.ipynb"
        path.parent.mkdir()
        nbformat.write(page(release, shown[lesson], folder / "pictures"), path)
    for name in PAGES:
        text = (course.root / name).read_text(encoding="utf-8")
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(_elsewhere(text, course, name), encoding="utf-8")
    (folder / "index.md").write_text(index(course, lessons), encoding="utf-8")
    shutil.copytree(course.root / "assets", folder / "assets", ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    (folder / "_static").mkdir()
    shutil.copy(PARTS / "course.css", folder / "_static")
    shutil.copy(PARTS / "conf.py", folder)
    whole = lessons == course.lessons()
    settings = {"release": __version__, "repository": published(course)[0], "whole": whole}
    (folder / "settings.json").write_text(json.dumps(settings), encoding="utf-8")


def published(course: Course) -> tuple[str, str]:
    """Where the course is published, ``("https://github.com/OWNER/NAME", "main")``; the first is empty if nowhere."""
    project = tomllib.loads((course.root / "pyproject.toml").read_text(encoding="utf-8"))
    return project["tool"]["course"]["repository"], project["tool"]["course"]["branch"]


def _elsewhere(text: str, course: Course, page: str) -> str:
    """A page of the repository with links that hold in the book: files that are no pages are named, not linked."""
    repository, branch = published(course)

    def link(found: re.Match[str]) -> str:
        words, target = found[1], found[2]
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page), target.partition("#")[0]))
        if target.startswith(("http", "#")) or path in PAGES:
            return found[0]
        return f"[{words}]({repository}/blob/{branch}/{path})" if repository else f"{words} (`{path}`)"

    return re.sub(r"(?<!!)\[([^\]]+)\]\(([^)\s]+)\)", link, text)


def index(course: Course, lessons: list[str]) -> str:
    """The book's first page: README's opening and map, its table of lessons, and what stands in the sidebar."""
    readme = (course.root / "README.md").read_text(encoding="utf-8")
    opening = _elsewhere(readme[: readme.index("## Start")], course, "README.md")
    opening = re.sub(r"<!--.*?-->\n", "", opening)
    for lesson in lessons:
        row = f"| {lesson[:2]} {about(course, lesson).title} |"
        opening = opening.replace(row, f"| [{row[2:-2]}]({lesson}/{lesson}.ipynb) |")
    tree = [f"{lesson[:2]} {about(course, lesson).title} <{lesson}/{lesson}>" for lesson in lessons]
    pages = [f"{words} <{name.removesuffix('.md')}>" for name, words in PAGES.items()]
    where = published(course)[0]
    begin = f"""## Work on it

These pages are for reading. To run the lessons, solve their exercises and have them checked, get the course
{f"from [its repository]({where}) " if where else ""}and type `make lab`; its README says more.
"""
    return "\n".join(
        [opening, begin, _toctree("Lessons", tree), _toctree("About the course", pages)],
    )


def _toctree(caption: str, entries: list[str]) -> str:
    return "\n".join(["```{toctree}", ":hidden:", f":caption: {caption}", "", *entries, "```", ""])


def build(course: Course, lessons: list[str], output: Path, workers: int) -> None:
    """Write the book into ``output``, anew.

    Raises:
        CourseError: a lesson could not be run, or Sphinx found something wrong; its words are in the message.
    """
    pages = course.root / KEPT / "pages"
    shutil.rmtree(pages, ignore_errors=True)
    pages.mkdir(parents=True)
    write_pages(course, lessons, pages, workers)
    made = course.root / KEPT / "html"  # myst-nb leaves a folder with copies of what it has read beside it
    shutil.rmtree(made, ignore_errors=True)
    command = [
        sys.executable,
        "-m",
        "sphinx",
        "-W",
        "--keep-going",
        "-q",
        "-j",
        str(workers),
        "-d",
        str(course.root / KEPT / "trees"),
    ]
    done = subprocess.run([*command, str(pages), str(made)], capture_output=True, text=True, cwd=pages.parent)
    if done.returncode:
        raise CourseError(f"the book could not be built; Sphinx says:\n{done.stderr.strip()[-3000:]}")
    shutil.rmtree(output, ignore_errors=True)
    shutil.move(made, output)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("lessons", nargs="*", metavar="LESSON", help="numbers or names; all when none is given")
    parser.add_argument("--output", type=Path, metavar="FOLDER", help="default: site; it is written anew")
    parser.add_argument("--workers", type=int, default=3, metavar="N", help="lessons that run at once (default: 3)")


def command(args: argparse.Namespace) -> int:
    needs("sphinx", "myst_nb", "sphinx_book_theme")
    course = find_course()
    lessons = [course.lesson(name) for name in args.lessons] or course.lessons()
    output = (args.output or course.root / "site").resolve()
    if output.exists() and not (output / "index.html").is_file() and any(output.iterdir()):
        raise CourseError(f"{output} is not empty and holds no book. Name another folder with --output, or empty it.")
    build(course, lessons, output, max(1, args.workers))
    print(f"{len(lessons)} lessons: open {output / 'index.html'}")
    return 0
