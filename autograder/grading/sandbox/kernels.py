"""How a submission's kernel is started: in a warm or a cold sandbox, or plainly.

The stage *run* asks for a kernel manager, and afterwards why the kernel ended, and knows nothing else about it.
"""

from __future__ import annotations

import copy
import os
import tempfile
import threading
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any, Self

from jupyter_client.asynchronous import AsyncKernelClient
from jupyter_client.manager import AsyncKernelManager
from jupyter_client.provisioning import KernelProvisionerFactory

from ...errors import CourseError
from ...paths import Course
from . import checker_process as checkers
from .bubblewrap import BY_SIGNAL
from .checker_process import Checker
from .client import Client
from .other_user import USER
from .probe import probe
from .resources import Resources
from .variables import ENVIRONMENT
from .warm import MODULES, Template, sweep
from .watchdog import Use

PROVISIONERS = {
    "course-warm": "provisioner:WarmProvisioner",
    "course-cold": "provisioner:ColdProvisioner",
    "course-other-user": "other_user:OtherUserProvisioner",
}
NOT_PASSED_ON = (
    "JPY_PARENT_PID", "PYTHONDONTWRITEBYTECODE", "PYTHONSTARTUP", "PYTHONPATH", "PYTEST_CURRENT_TEST",
)  # fmt: skip

UNSAFE = (
    "Graded without isolation (--unsafe): the submissions' code ran with the rights, and among the files, "
    "of the person who graded them."
)
CONTAINER = "Graded in a container of its own, which is the wall; the learner's code ran there as another user."
OWN_MACHINE = "Your own code on your own machine: it ran without isolation."


class Kernels:
    """Kernels without isolation. ``notice`` is the sentence that every report then carries; empty with isolation."""

    isolated = False

    def __init__(self, notice: str = "") -> None:
        self.notice = notice

    def manager(self, folder: Path, resources: Resources, seconds: float) -> AsyncKernelManager:
        """A manager that will start one kernel; ``folder`` is private to it, ``seconds`` is the limit on its life."""
        manager = _manager(folder)
        if os.name == "posix":  # sockets in a private folder: no port to lose in a race, nothing for others to reach
            manager.transport, manager.ip = "ipc", str(folder / "kernel")
        return manager

    def checker(self, seconds: float = 0) -> Checker:
        """A process that runs check cells for one submission; it lives for ``seconds`` at least.

        Raises:
            OSError, RuntimeError: it could not be started.
        """
        return checkers.plain(seconds)

    def variables(self, extra: dict[str, str]) -> dict[str, str]:
        """The whole environment of a kernel."""
        return {key: value for key, value in os.environ.items() if key not in NOT_PASSED_ON} | ENVIRONMENT | extra

    def reason(self, manager: AsyncKernelManager | None) -> str:
        """Why the kernel was ended from outside, as a sentence; empty where it was not.

        Raises:
            CourseError: it could not be watched, and was ended for that.
        """
        return ""

    def was_killed(self, manager: AsyncKernelManager | None) -> bool:
        """Whether a kernel that has ended was ended as people and systems do it, be it by its own code."""
        process = getattr(getattr(manager, "provisioner", None), "process", None)
        return process is not None and process.poll() in BY_SIGNAL

    def most_memory(self, manager: AsyncKernelManager | None) -> int:
        """The most bytes that the kernel and what it started had at one time; 0 where nobody has looked."""
        return 0

    def watch_messages(self, manager: AsyncKernelManager, client: AsyncKernelClient) -> None:
        """From now on end the kernel, too, where its messages take too much of the grader's memory."""

    def generation(self) -> object:
        """Changes when what kernels are forked from has ended, and with it all of them, without any fault of theirs."""
        return None

    def begin(self) -> None:
        """Start what all kernels need, without waiting for it."""

    def close(self) -> None:
        """End what was started for all kernels together."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class ColdKernels(Kernels):
    """Each kernel in a bubblewrap of its own. ``hidden`` are folders that no submission may see."""

    isolated = True

    def __init__(self, hidden: tuple[Path, ...] = ()) -> None:
        super().__init__()
        self.hidden = hidden

    def manager(self, folder: Path, resources: Resources, seconds: float) -> AsyncKernelManager:
        options = {"resources": resources, "run_seconds": seconds, "hidden": self.hidden}
        return _sandboxed("course-cold", folder, options)

    def checker(self, seconds: float = 0) -> Checker:
        return checkers.boxed(self.hidden, seconds)

    def variables(self, extra: dict[str, str]) -> dict[str, str]:
        return ENVIRONMENT | extra

    def reason(self, manager: AsyncKernelManager | None) -> str:
        return getattr(getattr(manager, "provisioner", None), "reason", "")

    def was_killed(self, manager: AsyncKernelManager | None) -> bool:
        asked = getattr(getattr(manager, "provisioner", None), "was_killed", None)
        return bool(asked and asked())

    def most_memory(self, manager: AsyncKernelManager | None) -> int:
        peak: Use | None = getattr(getattr(manager, "provisioner", None), "peak", None)
        return peak.memory_bytes if peak else 0

    def watch_messages(self, manager: AsyncKernelManager, client: AsyncKernelClient) -> None:
        provisioner: Any = manager.provisioner
        if isinstance(client, Client):
            client.as_read = True  # the kernel is one of inside/kernel.py
            provisioner.watch_messages(client.receiving_thread())


class WarmKernels(ColdKernels):
    """Kernels forked from one template."""

    def __init__(self, hidden: tuple[Path, ...] = (), template: Template | None = None) -> None:
        super().__init__(hidden)
        self.template = template or Template(hidden=hidden)
        self._lock, self._closed = threading.Lock(), False

    def begin(self) -> None:
        """Start the template now, aside: its imports take seconds in which a caller has other things to do."""
        threading.Thread(target=self._template_is_there, name="template").start()

    def manager(self, folder: Path, resources: Resources, seconds: float) -> AsyncKernelManager:
        """As of :class:`ColdKernels`; also cold where the template has ended and cannot be had again."""
        if not self._template_is_there():
            return super().manager(folder, resources, seconds)
        options = {"resources": resources, "run_seconds": seconds, "template": self.template}
        return _sandboxed("course-warm", folder, options)

    def checker(self, seconds: float = 0) -> Checker:
        return checkers.forked(self.template, seconds) if self._template_is_there() else super().checker(seconds)

    def generation(self) -> object:
        return self._template_is_there() and self.template.folder

    def _template_is_there(self) -> bool:
        with self._lock:
            if self.template.alive:
                return True
            if self._closed:
                return False
            try:
                self.template.close()
                self.template.start()
            except OSError:
                return False
            return True

    def close(self) -> None:
        self._closed = True
        with self._lock:
            self.template.close()


class OtherUserKernels(Kernels):
    """Kernels of another user, in a container that is made for one submission (:mod:`.other_user`)."""

    def __init__(self) -> None:
        super().__init__(CONTAINER)

    def manager(self, folder: Path, resources: Resources, seconds: float) -> AsyncKernelManager:
        """A manager whose sockets lie in a folder of the other user's; ``folder`` itself stays the grader's.

        A second kernel gets new places: what the first one's code left in its own may be links.
        """
        folder.chmod(0o711)
        here, sockets = folder / "here", Path(tempfile.mkdtemp(prefix="s", dir=folder))
        here.mkdir(exist_ok=True)
        for place in (here, sockets):
            os.chown(place, USER, USER, follow_symlinks=False)
        manager = _sandboxed("course-other-user", folder, {"resources": resources, "run_seconds": seconds})
        manager.transport, manager.ip = "ipc", str(sockets / "s")
        manager.connection_file = str(folder / f"{sockets.name}.json")
        self.home = str(here)
        return manager

    def variables(self, extra: dict[str, str]) -> dict[str, str]:
        known = {key: os.environ[key] for key in ("PATH", "LANG", "LC_ALL") if key in os.environ}
        own = {"HOME": self.home, "TMPDIR": self.home, "USER": "learner", "LOGNAME": "learner"}
        return known | own | ENVIRONMENT | extra


def choose_kernels(
    unsafe: bool = False,
    own_machine: bool = False,
    hidden: tuple[Path, ...] = (),
    modules: tuple[str, ...] = MODULES,
    container: bool = False,
) -> Kernels:
    """The best kernels that this machine allows; close them, or use them in a ``with``.

    Args:
        unsafe: the person who grades accepts to do without isolation.
        own_machine: a learner grades their own work, for which isolation means nothing.
        hidden: folders that no submission may see even where they lie beneath the system's.
        modules: what is imported once for all kernels, where they can be forked (see :func:`.warm.imported`).
        container: this machine was made for one submission, and ends with it: without namespaces it is the wall, once
            :func:`.other_user.refuse_unless_closed` has found the grader's files closed.

    Raises:
        CourseError: there is no isolation, and nobody accepted that.
    """
    if own_machine:
        return Kernels(OWN_MACHINE)
    if unsafe:
        return Kernels(UNSAFE)
    isolation = probe()
    if not isolation.works and container:
        return OtherUserKernels()
    if not isolation.works:
        raise CourseError(isolation.problem)
    sweep()
    return WarmKernels(hidden, Template(modules, hidden)) if isolation.forks else ColdKernels(hidden)


def not_for_submissions(course: Course) -> tuple[Path, ...]:
    """Where answers, hidden tests (also in what git keeps), other people's work and the gradebook are."""
    return course.root, course.solutions, course.work, course.classroom, course.exchange


def _manager(folder: Path) -> AsyncKernelManager:
    """One for the kernelspec ``python3`` as it is installed; its file goes with the folder, also of a killed grader."""
    manager = AsyncKernelManager(kernel_name="python3", client_factory=Client)
    manager.connection_file = str(folder / "connection.json")
    return manager


def _sandboxed(name: str, folder: Path, options: dict[str, Any]) -> AsyncKernelManager:
    """The same with another provisioner."""
    factory = KernelProvisionerFactory.instance()
    if name not in factory.provisioners:  # a copy of the course that was not installed has no entry points
        place = f"{__package__}.{PROVISIONERS[name]}"
        factory.provisioners[name] = EntryPoint(name, place, KernelProvisionerFactory.GROUP_NAME)
    manager = _manager(folder)
    spec: Any = copy.copy(manager.kernel_spec)  # an environment with ipykernel has one
    spec.metadata = spec.metadata | {"kernel_provisioner": {"provisioner_name": name, "config": options}}
    manager._kernel_spec = spec  # the property above reads it from disk, once
    return manager
