"""Several hosts on this machine: network namespaces that share a bridge, for what happens between machines."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from autograder.paths import Course
from tests.conftest import ROOT

WAIT = 120  # seconds until a host has to be ready; it takes a few
ADDRESSES = {"t": "10.77.0.1", "a": "10.77.0.2", "b": "10.77.0.3"}  # the teacher's, two workers'
NONE = "network namespaces cannot be made here (they need root and iproute2)"


def can_make_hosts() -> bool:
    if os.name != "posix" or os.geteuid() != 0 or shutil.which("ip") is None:
        return False
    name = f"probe-{os.getpid()}"
    made = subprocess.run(["ip", "netns", "add", name], capture_output=True).returncode == 0
    bridge = ["ip", "-n", name, "link", "add", "br0", "type", "bridge"]
    works = made and subprocess.run(bridge, capture_output=True).returncode == 0
    if made:
        subprocess.run(["ip", "netns", "delete", name], check=True)
    return works


class Hosts:
    """The teacher's host with a scheduler, and two with a worker each, all for one course."""

    def __init__(self, course: Course, folder: Path) -> None:
        self.course, self.folder = course, folder
        self.names = {host: f"course-{os.getpid()}-{host}" for host in ADDRESSES}
        self.running: dict[str, subprocess.Popen] = {}
        for name in self.names.values():
            ip("netns", "add", name)
            ip("-n", name, "link", "set", "lo", "up")
        ip("-n", self.names["t"], "link", "add", "br0", "type", "bridge")
        ip("-n", self.names["t"], "addr", "add", f"{ADDRESSES['t']}/24", "dev", "br0")
        ip("-n", self.names["t"], "link", "set", "br0", "up")
        for host in ("a", "b"):
            mine = self.names[host]
            ip(
                "-n",
                self.names["t"],
                "link",
                "add",
                f"to-{host}",
                "type",
                "veth",
                "peer",
                "name",
                "eth0",
                "netns",
                mine,
            )
            ip("-n", self.names["t"], "link", "set", f"to-{host}", "master", "br0", "up")
            ip("-n", mine, "addr", "add", f"{ADDRESSES[host]}/24", "dev", "eth0")
            ip("-n", mine, "link", "set", "eth0", "up")

    @property
    def address(self) -> str:
        return f"tls://{ADDRESSES['t']}:8786"

    def start(self, host: str, *arguments: str) -> subprocess.Popen:
        """A ``course`` command on a host; what it says is in ``HOST-COMMAND.log``."""
        environment = {
            **os.environ,
            "COURSE_ROOT": str(self.course.root),
            "PYTHONPATH": str(ROOT),
            "DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": "4s",  # a cut-off host is given up soon
            "DASK_DISTRIBUTED__COMM__TIMEOUTS__TCP": "12s",
        }
        command = ["ip", "netns", "exec", self.names[host], sys.executable, "-m", "autograder", *arguments]
        with self.log(host, arguments[0]).open("wb") as log:
            return subprocess.Popen(command, env=environment, stdout=log, stderr=log, start_new_session=True)

    def log(self, host: str, command: str) -> Path:
        return self.folder / f"{host}-{command}.log"

    def start_scheduler(self) -> None:
        self.running["scheduler"] = self.start("t", "scheduler", self.address)
        self._wait("t", "scheduler", "Listening")

    def start_workers(self, *hosts: str) -> None:
        for host in hosts:
            self.running[host] = self.start(host, "worker", self.address, "--workers", "1", "--name", host)
        for host in hosts:
            self._wait(host, "worker", "works for")

    def _wait(self, host: str, command: str, words: str) -> None:
        deadline = time.monotonic() + WAIT
        while words not in (said := self.log(host, command).read_text()):
            assert time.monotonic() < deadline, f"{command} on {host} is not ready: {said}"
            time.sleep(0.1)

    def kill(self, what: str) -> None:
        """The scheduler, or all that runs on a worker's host, as when its power fails."""
        process = self.running.pop(what)
        process.kill()
        process.wait()
        if what in self.names:
            for number in ip("netns", "pids", self.names[what]).split():
                with suppress(ProcessLookupError):
                    os.kill(int(number), signal.SIGKILL)

    def link(self, host: str, state: str) -> None:
        """Plug a worker's host in (``up``) or out (``down``)."""
        ip("-n", self.names["t"], "link", "set", f"to-{host}", state)

    def close(self) -> None:
        for what in list(self.running):
            self.kill(what)
        for name in self.names.values():
            ip("netns", "delete", name)


def ip(*arguments: str) -> str:
    return subprocess.run(["ip", *arguments], check=True, capture_output=True, text=True).stdout
