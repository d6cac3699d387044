"""One teacher and two learners on a hub, from release to feedback, by what their browsers would send.

Run inside the root that ``test_hub.py`` makes: ``python walk.py SOLVED_NOTEBOOK``. Prints what was seen as JSON.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import requests

HUB = "http://127.0.0.1:8000"
COURSE, LESSON = "parallel-tensorflow", "01_sums"
SECONDS = 180.0


class Person:
    """Somebody's browser: signed in, with a server of their own."""

    def __init__(self, name: str) -> None:
        self.name, self.browser = name, requests.Session()
        form = self.browser.get(f"{HUB}/hub/login")
        form.raise_for_status()
        data = {"username": name, "password": "throw-away", "_xsrf": self._xsrf("/hub/")}
        self.browser.post(f"{HUB}/hub/login", data=data).raise_for_status()
        self._until_ready()

    def _xsrf(self, path: str) -> str:
        found = [
            cookie.value or "" for cookie in self.browser.cookies if cookie.name == "_xsrf" and cookie.path == path
        ]
        return found[-1] if found else ""

    def _until_ready(self) -> None:
        end = time.monotonic() + SECONDS
        self.browser.get(f"{HUB}/hub/spawn")
        while time.monotonic() < end:
            answer = self.browser.get(f"{HUB}/user/{self.name}/lab")
            if answer.status_code == 200 and answer.url.endswith(f"/user/{self.name}/lab"):
                return
            time.sleep(0.5)
        raise SystemExit(f"the server of {self.name} did not start: {answer.status_code} {answer.url}")

    def ask(self, method: str, path: str, **options: Any) -> requests.Response:
        token = {"X-XSRFToken": self._xsrf(f"/user/{self.name}/"), "Referer": f"{HUB}/user/{self.name}/lab"}
        return self.browser.request(method, f"{HUB}/user/{self.name}/{path}", headers=token, timeout=SECONDS, **options)

    def does(self, method: str, path: str, **options: Any) -> Any:
        answer = self.ask(method, path, **options)
        if answer.status_code >= 400:
            raise SystemExit(f"{self.name}: {method} {path}: {answer.status_code} {answer.text[:2000]}")
        found = answer.json()
        if isinstance(found, dict) and found.get("success") is False:
            raise SystemExit(f"{self.name}: {method} {path}: {found}")
        return found

    def assignment(self, action: str) -> Any:
        return self.does("POST", f"assignments/{action}", json={"course_id": COURSE, "assignment_id": LESSON})


def walk(solved: dict[str, Any]) -> dict[str, Any]:
    """What each saw and got; ``solved``: the notebook that ada hands in. bob hands in what he fetched."""
    teacher, ada, bob = (Person(name) for name in ("teacher", "ada", "bob"))
    seen: dict[str, Any] = {}
    for button in ("assign", "release"):  # Formgrader's Generate and Release
        teacher.does("POST", f"formgrader/api/assignment/{LESSON}/{button}")
    for learner in (ada, bob):
        learner.assignment("fetch")
        path = f"api/contents/{LESSON}/{LESSON}.ipynb"
        content = solved if learner is ada else learner.does("GET", path)["content"]
        learner.does("PUT", path, json={"type": "notebook", "format": "json", "content": content})
        checked = learner.does("POST", f"assignments/validate?path={LESSON}/{LESSON}.ipynb")  # nbgrader's button
        seen[f"{learner.name}'s failed"] = len(checked["value"].get("failed", ()))
        learner.assignment("submit")
    seen["page"] = teacher.ask("GET", "course/collect").text
    seen["others"] = ada.ask("GET", f"../bob/api/contents/{LESSON}").status_code
    teacher.does("POST", f"formgrader/api/assignment/{LESSON}/collect")
    for learner in (ada, bob):
        teacher.does("POST", f"formgrader/api/submission/{LESSON}/{learner.name}/autograde")
    listed = teacher.does("GET", f"formgrader/api/submissions/{LESSON}")
    seen["scores"] = {one["student"]: one["code_score"] for one in listed}
    teacher.does("POST", f"formgrader/api/assignment/{LESSON}/generate_feedback")
    teacher.does("POST", f"formgrader/api/assignment/{LESSON}/release_feedback")
    for learner in (ada, bob):
        learner.assignment("fetch_feedback")
        seen[learner.name] = feedback(learner, f"{LESSON}/feedback")
    return seen


def feedback(learner: Person, folder: str) -> list[str]:
    """The texts of all pages below a folder of the learner's."""
    pages = []
    for one in learner.does("GET", f"api/contents/{folder}")["content"]:
        if one["type"] == "directory":
            pages += feedback(learner, one["path"])
        elif one["name"].endswith(".html"):
            pages.append(learner.does("GET", f"api/contents/{one['path']}?type=file&format=text")["content"])
    return pages


if __name__ == "__main__":
    print(json.dumps(walk(json.loads(Path(sys.argv[1]).read_text()))))
