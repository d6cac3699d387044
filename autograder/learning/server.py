"""A small extension of the Jupyter server that ``course lab`` starts; the profiles switch it on.

It answers nbgrader's Validate button in place of nbgrader, whose own handler blocks the whole server, and with it every
kernel's output, until the notebook has run. And Formgrader's list shows lessons only: nbgrader takes every folder of
``solutions/`` for an assignment, ``_shared`` too. What Formgrader shows of submissions is made harmless
(:mod:`autograder.learning.formgrader`).
"""

from __future__ import annotations

import asyncio
import atexit
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from jupyter_server.base.handlers import APIHandler
from jupyter_server.serverapp import ServerApp
from jupyter_server.utils import url_path_join
from nbgrader.apps.api import NbGraderAPI
from nbgrader.server_extensions.validate_assignment.handlers import NbGraderVersionHandler
from tornado import web

from ..paths import SLUG
from ..plain_log import show_plainly
from .formgrader import protect

RUNNING: set[subprocess.Popen[bytes]] = set()


class ValidateHandler(APIHandler):
    """``POST /assignments/validate?path=...``: run the notebook's visible checks in a child process."""

    @web.authenticated
    async def post(self) -> None:
        root = Path(self.settings["server_root_dir"]).expanduser().resolve()
        notebook = (root / self.get_argument("path")).resolve()
        if not notebook.is_relative_to(root):
            raise web.HTTPError(403, "That notebook lies outside this server's folder.")
        self.finish(json.dumps(await validate(notebook)))


async def validate(notebook: Path) -> dict[str, Any]:
    """The answer of ``autograder.learning.validate``, while the server goes on with other work."""
    # files, not pipes: a full pipe would stop the child
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as log:
        child = subprocess.Popen(
            [sys.executable, "-m", "autograder.learning.validate", str(notebook)], stdout=out, stderr=log
        )
        RUNNING.add(child)
        try:
            while child.poll() is None:
                await asyncio.sleep(0.1)
        finally:
            child.kill()
            RUNNING.discard(child)
        out.seek(0)
        log.seek(0)
        try:
            answer: dict[str, Any] = json.loads(out.read())
            return answer
        except ValueError:
            return {"success": False, "value": log.read().decode(errors="replace")[-5000:]}


@atexit.register
def stop_running() -> None:
    """Leave no child behind when the server is stopped; a child's kernel ends with the child."""
    for child in RUNNING:
        child.kill()


def list_lessons_only() -> None:
    """Let nbgrader see the lessons among the folders of ``solutions/``. nbgrader has no setting for this."""
    every_folder = NbGraderAPI.get_source_assignments

    def lessons(api: NbGraderAPI) -> set[str]:
        return {name for name in every_folder(api) if SLUG.fullmatch(name)}

    NbGraderAPI.get_source_assignments = lessons


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": "autograder.learning.server"}]


def _load_jupyter_server_extension(serverapp: ServerApp) -> None:
    show_plainly()
    list_lessons_only()
    protect()
    base = serverapp.web_app.settings["base_url"]
    serverapp.web_app.add_handlers(
        ".*$",
        [
            (url_path_join(base, "assignments/validate"), ValidateHandler),
            (url_path_join(base, "nbgrader_version"), NbGraderVersionHandler),
        ],
    )
