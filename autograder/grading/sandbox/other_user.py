"""Where a container made for one submission is the wall: the learner's kernel runs there as another user.

For systems that start a container for each submission and forbid namespaces in it. The grader is its root; its files
are closed to the other user, checks are judged by the grader's processes, and all of that user's end with the kernel.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

from jupyter_client.connect import KernelConnectionInfo
from jupyter_client.provisioning import LocalProvisioner
from traitlets import Float, Instance

from ...errors import CourseError
from .resources import Resources

USER = 1_900_008_192  # of nobody's range, behind those that bubblewrap is given
TOOLS = ("setpriv", "prlimit", "kill")  # of util-linux and procps, which every Linux image has
SECONDS = 20.0


def as_learner(command: list[str], resources: Resources | None = None, seconds: float = SECONDS) -> list[str]:
    """A command that runs as the other user, without a way back; with limits where ``resources`` are given."""
    limits = resources.rlimits(seconds) if resources else {}
    names = {"CORE": "core", "CPU": "cpu", "FSIZE": "fsize", "NOFILE": "nofile", "NPROC": "nproc"}
    limited = [f"--{names[name]}={value}" for name, value in limits.items() if name in names]
    drop = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", "--inh-caps=-all", "--no-new-privs"]
    return [*(["prlimit", *limited] if limited else []), *drop, *command]


def refuse_unless_closed(places: list[Path]) -> None:
    """Make sure, by trying it, that the other user exists as one and can open none of these files and folders.

    Raises:
        CourseError: this process is not root, a tool is missing, a place is open or could be put in another's place.
    """
    if os.geteuid() != 0:
        raise CourseError("The grader has to be root of its container, to run the submission as another user.")
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        raise CourseError(f"{missing[0]} is missing from this container. Install util-linux and procps.")
    asked = subprocess.run(as_learner(["id", "-u"]), capture_output=True, text=True, timeout=SECONDS)
    if asked.stdout.strip() != str(USER):
        raise CourseError(f"This container lets nobody become another user ({asked.stderr.strip() or 'no reason'}).")
    for place in places:
        tried = subprocess.run(as_learner(["ls", "-d", f"{place}/."]), capture_output=True, timeout=SECONDS)
        read = subprocess.run(as_learner(["cat", str(place)]), capture_output=True, timeout=SECONDS)
        if tried.returncode == 0 or read.returncode == 0:
            raise CourseError(f"The submission could open {place}. Close it to other users (chmod 700).")
    for folder in sorted({place.parent for place in places}):
        if subprocess.run(as_learner(["test", "-w", str(folder)]), timeout=SECONDS).returncode == 0:
            raise CourseError(f"The submission could rename what is in {folder}. Close it to other users (chmod 755).")


def end_all() -> None:
    """Kill every process of the other user; the system does it in one step, so none can start another one meanwhile."""
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        subprocess.run(as_learner(["kill", "-KILL", "-1"]), capture_output=True, timeout=SECONDS)


class OtherUserProvisioner(LocalProvisioner):
    """A plain kernel, but for its user and the system's limits. Its connection file lies where only root may write."""

    resources = Instance(Resources, ())
    run_seconds = Float(600.0)

    async def pre_launch(self, **kwargs: Any) -> dict[str, Any]:
        kwargs = await super().pre_launch(**kwargs)
        manager: Any = self.parent
        os.chown(manager.connection_file, USER, USER, follow_symlinks=False)
        kwargs["cmd"] = as_learner(kwargs["cmd"], self.resources, self.run_seconds)
        return kwargs

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> KernelConnectionInfo:
        end_all()  # of a submission before
        return await super().launch_kernel(cmd, **kwargs)

    async def cleanup(self, restart: bool = False) -> None:
        end_all()
        await super().cleanup(restart)
