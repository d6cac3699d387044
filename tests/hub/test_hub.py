"""The recipe of ``deploy/jupyterhub`` with its real hub and proxy: a teacher, two learners, from release to feedback.

The machine is a root made by bubblewrap, with accounts of its own that are gone with it; nothing of it is seen outside.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.grading.sandbox.bubblewrap import SYSTEM_FOLDERS, system_paths
from tests.conftest import ROOT
from tests.grading.conftest import NAME, make_course, right, sums  # noqa: F401 - fixtures

RECIPE = ROOT / "deploy" / "jupyterhub"
PEOPLE = {"teacher": 1001, "ada": 1002, "bob": 1003}
INSIDE = """\
set -e
mount -t proc proc /proc  # a whole one: the teacher's sandbox mounts its own inside
/opt/recipe/start > /srv/hub.log 2>&1 &
hub=$!
python="$1"
for second in $(seq 180); do
  if "$python" -c 'import requests; requests.get("http://127.0.0.1:8000/hub/health").raise_for_status()' 2> /dev/null
  then break; fi
  kill -0 $hub || { cat /srv/hub.log; exit 1; }
  sleep 1
done
"$python" /opt/walk.py /opt/solved.ipynb > /srv/seen.json || { tail -n 150 /srv/hub.log; exit 1; }
kill $hub
"""


def machine(folder: Path, solved: bytes) -> list[str]:
    """Bubblewrap's options for a machine with accounts, the course in the teacher's closed home, and the recipe."""
    lines, made = ["bwrap", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--die-with-parent"], {Path("/")}
    lines += ["--cap-add", "ALL", "--clearenv", "--dev", "/dev", "--proc", "/proc"]
    lines += ["--perms", "1777", "--tmpfs", "/tmp", "--tmpfs", "/run", "--perms", "0755", "--dir", "/etc"]
    lines += ["--bind", str(folder / "srv"), "/srv", "--bind", str(folder / "home"), "/home"]
    for path in map(Path, system_paths()):
        for parent in reversed(path.parents):
            lines += [] if parent in made else ["--perms", "0755", "--dir", str(parent)]
            made.add(parent)
        linked = path.is_symlink() and str(path) in SYSTEM_FOLDERS
        lines += ["--symlink", str(path.readlink()), str(path)] if linked else ["--ro-bind", str(path), str(path)]
    accounts = {"root": 0, **PEOPLE}
    homes = {name: "/root" if name == "root" else f"/home/{name}" for name in accounts}
    texts = {
        "passwd": "".join(f"{name}:x:{number}:{number}::{homes[name]}:/bin/sh\n" for name, number in accounts.items()),
        "group": "".join(f"{name}:x:{number}:\n" for name, number in accounts.items()),
        "hosts": "127.0.0.1 localhost\n",
        "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
    }
    (folder / "solved.ipynb").write_bytes(solved)
    for name, text in texts.items():
        (folder / name).write_text(text)
        (folder / name).chmod(0o644)
        lines += ["--ro-bind", str(folder / name), f"/etc/{name}"]
    for name, source in {
        "package/autograder": ROOT / "autograder",
        "recipe": RECIPE,
        "walk.py": ROOT / "tests" / "hub" / "walk.py",
        "solved.ipynb": folder / "solved.ipynb",
    }.items():
        for parent in reversed(Path("/opt", name).parents):
            lines += [] if parent in made else ["--perms", "0755", "--dir", str(parent)]
            made.add(parent)
        lines += ["--ro-bind", str(source), f"/opt/{name}"]
    variables = {
        "PATH": f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
        "HOME": "/srv",
        "PYTHONPATH": "/opt/package",
        "COURSE_HUB_PYTHON": sys.executable,
        "COURSE_HUB_COURSE": "/home/teacher/course",
        "COURSE_HUB_STATE": "/srv/hub",
        "COURSE_HUB_LEARNERS": "ada bob",
        "COURSE_HUB_AUTHENTICATOR": "dummy",
        "COURSE_HUB_PASSWORD": "throw-away",
    }
    for key, value in variables.items():
        lines += ["--setenv", key, value]
    return lines


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux" or shutil.which("bwrap") is None, reason="no bubblewrap for a machine")
@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() != 0, reason="only root can start servers of others")
@pytest.mark.skipif(importlib.util.find_spec("jupyterhub") is None, reason="JupyterHub is missing (extra `hub`)")
@pytest.mark.skipif(
    not (RECIPE / "node_modules" / ".bin" / "configurable-http-proxy").exists(),
    reason="the proxy is missing (`npm install` in deploy/jupyterhub)",
)
def test_a_class_on_a_hub_from_release_to_feedback(tmp_path, course, right):  # noqa: F811 - a fixture
    for name, number in PEOPLE.items():
        home = tmp_path / "home" / name
        home.mkdir(parents=True)
        os.chown(home, number, number)
        home.chmod(0o700)
    made = make_course(tmp_path / "home" / "teacher" / "course", course.config)
    (made.root / "pyproject.toml").write_text(
        '[tool.course]\nexchange = "/srv/exchange"\nexchange_for_everyone = true\n'
    )
    for path in [made.root, *made.root.rglob("*")]:
        os.chown(path, PEOPLE["teacher"], PEOPLE["teacher"])
    (tmp_path / "srv").mkdir()
    for folder in ("srv", "home"):
        (tmp_path / folder).chmod(0o755)
    command = [*machine(tmp_path, right), "--chdir", "/srv", "bash", "-c", INSIDE, "bash", sys.executable]
    done = subprocess.run(command, capture_output=True, text=True, timeout=560)
    said = done.stdout[-20_000:] + done.stderr[-5_000:]
    if "Operation not permitted" in done.stderr and not (tmp_path / "srv" / "hub.log").exists():
        pytest.skip("bubblewrap may not make a machine here")
    assert done.returncode == 0, said
    seen = json.loads((tmp_path / "srv" / "seen.json").read_text())
    shared = tmp_path / "srv" / "exchange" / "parallel-tensorflow"
    for folder in ("inbound", "feedback"):  # learners know their own file's name; nobody may list the others'
        assert not (shared / folder).stat().st_mode & 0o004, folder
    assert seen["scores"] == {"ada": 7, "bob": 0}, seen["scores"]
    assert seen["ada's failed"] == 0 < seen["bob's failed"], "what the Validate button says before they submit"
    assert 'action="/user/teacher/course/collect"' in seen["page"], "the teacher's pages lie below the hub's address"
    assert seen["others"] in (403, 404), "ada may not look into bob's server"
    assert len(seen["ada"]) == len(seen["bob"]) == 1
    assert f"{NAME}: ada" in seen["ada"][0] and "7 of 7" in seen["ada"][0] and "bob" not in seen["ada"][0]
    assert f"{NAME}: bob" in seen["bob"][0] and "0 of 7" in seen["bob"][0] and "ada" not in seen["bob"][0]
