"""Linux system calls that Python has no function for (in 3.11). Linux alone; call them while one thread runs."""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import os
import platform
import socket
import struct
from pathlib import Path

LIBC = ctypes.CDLL(None, use_errno=True)

CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC = 0x0002_0000, 0x0200_0000, 0x0400_0000, 0x0800_0000
CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x1000_0000, 0x2000_0000, 0x4000_0000
CLONE_VM, CLONE_FILES, CLONE_VFORK, CLONE_THREAD = 0x100, 0x400, 0x4000, 0x1_0000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 1, 2, 4, 8
MS_BIND, MS_REC, MS_PRIVATE = 4096, 16384, 1 << 18
TCP_BUFFER = 131_072  # bytes that wait for a socket's reader at most, and as many in its writer's
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 1, 4, 24, 38

# The few calls that libc has no wrapper for have other numbers on other processors.
NUMBERS = {
    "x86_64": {"capset": 126, "seccomp": 317, "mount_setattr": 442},
    "aarch64": {"capset": 91, "seccomp": 277, "mount_setattr": 442},
}
AT_FDCWD = -100


def checked(result: int, what: str) -> int:
    """Turn libc's -1 into an OSError that names the call."""
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def syscall(name: str, *arguments: object) -> int:
    """Make a system call by its number on this processor."""
    number = NUMBERS[platform.machine()][name]
    return checked(LIBC.syscall(ctypes.c_long(number), *arguments), name)


def prctl(option: int, value: int = 0) -> None:
    checked(LIBC.prctl(option, *(ctypes.c_ulong(number) for number in (value, 0, 0, 0))), f"prctl({option}, {value})")


def unshare(flags: int) -> None:
    """Move this process (its future children, for CLONE_NEWPID) into new namespaces."""
    checked(LIBC.unshare(flags), f"unshare({flags:#x})")


def enter(namespace: int) -> None:
    """Move this process into the namespace behind a descriptor of /proc/PID/ns/..."""
    checked(LIBC.setns(namespace, 0), "setns")


def mount(source: str, target: str, kind: str | None = None, flags: int = 0, data: str = "") -> None:
    arguments = [text.encode() if text else None for text in (source, target, kind)]
    checked(
        LIBC.mount(*arguments, ctypes.c_ulong(flags), data.encode() if data else None),
        f"mount {source} on {target}",
    )


def make_read_only(target: str) -> None:
    """Make one mount read-only, whoever uses it. The mount stays read-only for good: rights to undo it are dropped."""
    attributes = struct.pack("QQQQ", MS_RDONLY | MS_NOSUID | MS_NODEV, 0, 0, 0)  # set, clear, propagation, user ns
    syscall("mount_setattr", AT_FDCWD, target.encode(), 0, attributes, ctypes.c_size_t(len(attributes)))


def loopback_up() -> None:
    """A new network namespace holds one interface, "lo", that is down: switch it on."""
    get_flags, set_flags, up = 0x8913, 0x8914, 1
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        request = struct.pack("16sh14x", b"lo", 0)
        flags = struct.unpack("16sh14x", fcntl.ioctl(any_socket, get_flags, request))[1]
        fcntl.ioctl(any_socket, set_flags, struct.pack("16sh14x", b"lo", flags | up))


def small_buffers() -> None:
    """TCP of this network namespace grows no buffers: megabytes for each socket would be counted for nobody.

    Where the system does not let this be set, they grow.
    """
    for name, usual in (("tcp_rmem", TCP_BUFFER), ("tcp_wmem", 16384)):
        with contextlib.suppress(OSError):
            Path(f"/proc/sys/net/ipv4/{name}").write_text(f"4096 {usual} {TCP_BUFFER}")


def drop_bounds() -> None:
    """No process that this one starts can ever have a capability. Needs one itself; does nothing without it."""
    capability = 0
    while LIBC.prctl(PR_CAPBSET_DROP, *(ctypes.c_ulong(number) for number in (capability, 0, 0, 0))) == 0:
        capability += 1


def drop_capabilities() -> None:
    """Give up every capability of this process."""
    header = struct.pack("Ii", 0x2008_0522, 0)  # version 3 of the structure, this process
    syscall("capset", header, bytes(24))
