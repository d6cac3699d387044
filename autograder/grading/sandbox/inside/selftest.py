"""Asked before grading: do the walls stand here?

Prints one line of JSON: ``{name of a check: what is wrong, or ""}``.
"""

from __future__ import annotations

import json
import os
import socket
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from . import confine, places, seccomp, system


def main() -> None:
    config = json.loads(sys.argv[1])
    found = {
        "processes": _told(_own_processes),
        "network": _told(_only_loopback),
        "files": _told(_nothing_writable),
        "filter": "" if seccomp.available() else f"no list of system calls for {os.uname().machine}",
    }
    found["kernels"] = _forked(lambda: _second_wall(config)) or found["filter"]
    print(json.dumps(found))


def _told(check: Callable[[], None]) -> str:
    try:
        check()
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


def _forked(check: Callable[[], None]) -> str:
    """Run ``check`` in a process of its own, which it may change for good."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writer, _told(check).encode()[:4000])
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as answer:
        text = answer.read()
    _, status = os.waitpid(child, 0)
    return text or ("" if status == 0 else f"a process of the check ended with {os.waitstatus_to_exitcode(status)}")


def _own_processes() -> None:
    others = [int(name) for name in os.listdir("/proc") if name.isdigit()]  # noqa: PTH208
    if len(others) > 8:
        raise RuntimeError("the processes of the machine can be seen")


def _only_loopback() -> None:
    names = [name for _, name in socket.if_nameindex()]
    if names != ["lo"]:
        raise RuntimeError(f"other network interfaces than loopback: {names}")
    with socket.socket() as server, socket.socket() as client:
        server.settimeout(2)
        server.bind(("127.0.0.1", 0))
        server.listen()
        client.settimeout(2)
        client.connect(server.getsockname())


def _nothing_writable() -> None:
    for folder in ("/usr", "/etc", sys.prefix, sys.base_prefix):
        if os.access(folder, os.W_OK):
            try:
                tempfile.TemporaryFile(dir=folder).close()
            except OSError:
                continue
            raise RuntimeError(f"{folder} can be written to")


def _second_wall(config: dict[str, Any]) -> None:
    """What the template does for every submission, without a kernel."""
    user = 1 if config["users"] else os.getuid()
    system.unshare(confine.OWN_NAMESPACES)
    problem = _forked(lambda: _inside_second_wall(config, user))
    if problem:
        raise RuntimeError(problem)


def _inside_second_wall(config: dict[str, Any], user: int) -> None:
    system.loopback_up()
    sockets = tempfile.mkdtemp(dir="/tmp")
    confine.own_files(sockets, config["read_only"], 1_000_000, 100, user)
    confine.become_learner(user)
    confine.drop_rights({"CORE": 0})
    _only_loopback()
    Path(places.HOME, "file").write_text("x")
    try:
        system.unshare(system.CLONE_NEWUSER)
    except PermissionError:
        return
    raise RuntimeError("the filter of system calls does not work")


if __name__ == "__main__":
    main()
