"""The walls around one submission, from inside the template: its own namespaces, files, and hardly any rights."""

from __future__ import annotations

import contextlib
import os
import resource
import stat
from pathlib import Path

from . import seccomp, system
from .places import HOME, LEARNER, SOCKETS

OWN_NAMESPACES = (
    system.CLONE_NEWPID | system.CLONE_NEWNET | system.CLONE_NEWIPC | system.CLONE_NEWUTS | system.CLONE_NEWCGROUP
)


def own_files(sockets: str, read_only: list[str], disk_bytes: int, files: int, owner: int) -> None:
    """Give this process a view of files of its own; what bubblewrap made read-only stays as it is.

    Every place that can be written to is covered by one new, small, empty memory disk.

    Args:
        sockets: the folder that becomes ``SOCKETS``.
        read_only: what is bound read-only, in case it lies beneath a place that gets covered.
        disk_bytes: the size of the disk.
        files: how many files and folders it holds.
        owner: the user to whom the new places belong.
    """
    system.unshare(system.CLONE_NEWNS)
    system.mount("none", "/", None, system.MS_REC | system.MS_PRIVATE)
    beneath = _handles([path for path in read_only if path.startswith(("/tmp/", "/run/"))])
    sockets_handle = os.open(sockets, os.O_PATH)
    options = f"size={disk_bytes},nr_inodes={files},mode=755"
    system.mount("learner", HOME, "tmpfs", system.MS_NOSUID | system.MS_NODEV, options)
    places = {"home": (HOME, 0o700), "tmp": ("/tmp", 0o1777), "shm": ("/dev/shm", 0o1777)}
    for name, (_, mode) in places.items():
        folder = Path(HOME, name)
        folder.mkdir()
        folder.chmod(mode)
        os.chown(folder, owner, owner)
    for name in ("tmp", "shm", "home"):  # the home last: it covers the others' names
        system.mount(f"{HOME}/{name}", places[name][0], None, system.MS_BIND)
    _own_run_folder(sockets_handle)
    for path, handle in beneath.items():
        _bind_again(path, handle)
    system.make_read_only("/run")
    terminals = system.MS_NOSUID | system.MS_NOEXEC
    system.mount("devpts", "/dev/pts", "devpts", terminals, "newinstance,ptmxmode=0666,mode=620,max=32")
    system.mount("proc", "/proc", "proc", system.MS_NOSUID | system.MS_NODEV | system.MS_NOEXEC)


def _handles(paths: list[str]) -> dict[str, int]:
    return {path: os.open(path, os.O_PATH) for path in sorted(paths) if Path(path).exists()}


def _own_run_folder(sockets: int) -> None:
    """/run with nothing in it but the kernel's own sockets."""
    system.mount("run", "/run", "tmpfs", system.MS_NOSUID | system.MS_NODEV, "size=64k,nr_inodes=64,mode=755")
    Path(SOCKETS).mkdir()
    system.mount(f"/proc/self/fd/{sockets}", SOCKETS, None, system.MS_BIND)
    os.close(sockets)


def _bind_again(path: str, handle: int) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    if stat.S_ISDIR(os.fstat(handle).st_mode):
        Path(path).mkdir(exist_ok=True)
    else:
        Path(path).touch()
    system.mount(f"/proc/self/fd/{handle}", path, None, system.MS_BIND | system.MS_REC)
    os.close(handle)


def become_learner(user: int) -> None:
    """Turn into ``user`` (none where it is this one), then into the user ``LEARNER`` of a new user namespace."""
    if user != os.getuid():
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
    system.prctl(system.PR_SET_DUMPABLE, 1)  # else /proc/self, and so the map below, belongs to root
    system.unshare(system.CLONE_NEWUSER)
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{LEARNER} {user} 1")
    Path("/proc/self/gid_map").write_text(f"{LEARNER} {user} 1")


def drop_rights(limits: dict[str, int]) -> None:
    """Limits, then no capabilities, no way to gain any, and no unusual system calls; for good.

    Args:
        limits: ``{name of an RLIMIT_ constant: value}``, e.g. ``{"NOFILE": 1024}``.
    """
    for name, value in limits.items():
        kind = getattr(resource, f"RLIMIT_{name}")
        hard = resource.getrlimit(kind)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (value, value))
    os.nice(5)  # the grader comes first, to end what uses too much
    with contextlib.suppress(OSError):  # where memory runs out, the system takes this process first
        Path("/proc/self/oom_score_adj").write_text("1000")
    system.drop_bounds()
    system.drop_capabilities()
    system.prctl(system.PR_SET_NO_NEW_PRIVS, 1)
    system.prctl(system.PR_SET_DUMPABLE, 1)
    seccomp.apply()


def close_others(keep: set[int]) -> None:
    """Close every inherited descriptor except ``keep``; standard input, output and error become the null device."""
    null = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(null, standard)
    for number in sorted(int(name) for name in os.listdir("/proc/self/fd")):  # noqa: PTH208
        if number > 2 and number not in keep:
            with contextlib.suppress(OSError):
                os.close(number)
