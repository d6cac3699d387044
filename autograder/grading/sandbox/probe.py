"""Whether submissions can be isolated on this machine; asked once, before any of them runs."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass

from ...errors import is_machine_fault
from .bubblewrap import USERS, Bubblewrap, discard, find_bubblewrap, inside_command, is_root, system_paths

SECONDS = 30
INSTEAD = "To grade without isolation all the same, where you trust every submission, add --unsafe."


@dataclass(frozen=True)
class Isolation:
    """What the probe found. ``problem`` is a sentence for a person, empty where submissions can be isolated."""

    problem: str = ""
    forks: bool = False  # whether walls also stand around forks of one template (warm kernels)
    forks_problem: str = ""

    @property
    def works(self) -> bool:
        return not self.problem


def probe() -> Isolation:
    """Start a process inside bubblewrap that tries its walls. Takes about a tenth of a second; never raises."""
    if not sys.platform.startswith("linux"):
        return Isolation(f"Submissions can be isolated on Linux alone; this is {sys.platform}. {INSTEAD}")
    if find_bubblewrap() is None:
        return Isolation(
            "Submissions cannot be isolated: bubblewrap is not installed. Install it (Debian, Ubuntu: "
            f"`sudo apt install bubblewrap`; Fedora: `sudo dnf install bubblewrap`). {INSTEAD}"
        )
    try:
        found = _selftest(forks_kernels=True)
    except OSError as first:
        try:  # a system may allow bubblewrap and forbid what a template needs
            found = _selftest(forks_kernels=False) | {"kernels": str(first)}
        except OSError as error:
            return Isolation(_cannot_start(error))
    wrong = [found.get(name, "no answer") for name in ("processes", "network", "files", "filter")]
    if any(wrong):
        return Isolation(f"Submissions cannot be isolated: {'; '.join(filter(None, wrong))}. {INSTEAD}")
    return Isolation(forks=not found["kernels"], forks_problem=found["kernels"])


def _selftest(forks_kernels: bool) -> dict[str, str]:
    config = {"users": USERS if is_root() else 0, "read_only": list(system_paths())}
    box = Bubblewrap(inside_command("inside.selftest", json.dumps(config)), forks_kernels=forks_kernels)
    process, _ = box.start(stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        answer, errors = process.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        discard(process)
        raise OSError(f"no answer in {SECONDS} s") from None
    try:
        found: dict[str, str] = json.loads(answer)
        return found
    except ValueError:
        raise OSError(errors.decode(errors="replace").strip()[-500:] or "no answer") from None


def _cannot_start(error: OSError) -> str:
    if is_machine_fault(error):
        return f"Submissions cannot be isolated now: {error.strerror}. Are there memory and room on the disk left?"
    return (
        f"Submissions cannot be isolated: bubblewrap is there, but may not make namespaces ({error}). "
        "Ubuntu 24.04 and later forbid it to programs without an AppArmor profile (`sudo sysctl "
        "kernel.apparmor_restrict_unprivileged_userns=0` allows it until the next start); most containers forbid it "
        f"(Docker: `--security-opt seccomp=unconfined --security-opt apparmor=unconfined`). {INSTEAD}"
    )
