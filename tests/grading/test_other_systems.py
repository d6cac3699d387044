"""What grading does on systems other than Linux, asked on this one: their modules and their names are stand-ins."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from types import SimpleNamespace

import pytest

from autograder.classroom import grading_lock
from autograder.errors import CourseError
from autograder.grading.checks import checker as checking
from autograder.grading.sandbox import Kernels, checker_process, folders, kernels
from autograder.paths import Course

from .sandboxes import all_ok, run_cells

WINDOWS = SimpleNamespace(platform="win32", executable=sys.executable)


class Msvcrt:
    """Windows' locks: on single bytes of a file, refused to every other open file and given back by the same one."""

    LK_UNLCK, LK_NBLCK = 0, 2

    def __init__(self) -> None:
        self.held: dict[tuple[int, int], int] = {}  # {(file, place): descriptor}

    def locking(self, descriptor: int, mode: int, length: int) -> None:
        assert length == 1
        place = os.fstat(descriptor).st_ino, os.lseek(descriptor, 0, os.SEEK_CUR)
        if (self.held.get(place) == descriptor) != (mode == self.LK_UNLCK) or (mode and place in self.held):
            raise OSError
        self.held = {key: holder for key, holder in self.held.items() if key != place}
        if mode == self.LK_NBLCK:
            self.held[place] = descriptor


def test_on_windows_too_there_is_one_grader_at_a_time(monkeypatch, tmp_path):
    course, locks = Course(tmp_path), Msvcrt()
    monkeypatch.setattr(grading_lock, "sys", WINDOWS)
    monkeypatch.setattr(grading_lock, "msvcrt", locks, raising=False)
    monkeypatch.delattr(grading_lock, "fcntl")
    with grading_lock.only_grader(course):
        note = grading_lock.lock_path(course).read_bytes()
        assert all(place > len(note) for _, place in locks.held), "the note of who holds it can be read"
        with pytest.raises(CourseError, match=f"process {os.getpid()}, since"), grading_lock.only_grader(course):
            pass
        with grading_lock.alone(course):  # this process's own lock
            pass
        monkeypatch.setattr(grading_lock, "_held_here", set())
        with pytest.raises(CourseError, match="being graded already"), grading_lock.alone(course):
            pass
    assert locks.held == {}
    with grading_lock.alone(course):
        pass
    assert locks.held == {}


def test_on_windows_folders_are_not_locked_and_none_is_swept(monkeypatch):
    monkeypatch.setattr(folders, "sys", WINDOWS)
    monkeypatch.delattr(folders, "fcntl")
    monkeypatch.setattr(folders, "JUST_MADE", -1.0)
    with folders.scratch_folder("test") as folder:
        assert folder.is_dir() and folder not in folders._locks
        folders.sweep()
        assert folder.is_dir()
    assert not folder.exists()


def test_on_windows_a_kernel_is_reached_over_tcp(monkeypatch, tmp_path):
    monkeypatch.setattr(kernels, "os", SimpleNamespace(name="nt", environ=os.environ))
    plain = Kernels()
    manager = plain.manager(tmp_path, kernels.Resources(), 60)
    assert (manager.transport, manager.ip) == ("tcp", "127.0.0.1")
    all_ok(*run_cells(plain, "1"))


def test_on_windows_a_checker_is_started_without_a_session_or_a_watchdog(monkeypatch):
    monkeypatch.setattr(checker_process, "sys", WINDOWS)
    monkeypatch.setattr(checker_process, "os", SimpleNamespace(name="nt", environ=os.environ, getpid=os.getpid))
    running = checker_process.plain()
    try:
        assert not [thread for thread in threading.enumerate() if thread.name.startswith("watchdog")]
        running.send({"devices": 0, "seed": 0})
        assert running.receive() == {"ready": True}
    finally:
        running.end()


def test_on_windows_a_checker_ends_with_a_grader_that_is_not_its_parent(monkeypatch):
    """There a virtual environment's Python is a launcher, which stands between the two."""
    grader = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    looks = []

    def sleep(seconds: float) -> None:
        looks.append(grader.poll())
        grader.communicate(b"\n")  # the grader ends

    def leave(status: int) -> None:
        raise SystemExit(status)

    monkeypatch.setattr(checking, "os", SimpleNamespace(name="nt", _exit=leave))
    monkeypatch.setattr(checking, "time", SimpleNamespace(sleep=sleep))
    with pytest.raises(SystemExit, match="1"):
        checking._end_with(grader.pid)
    assert looks == [None], "while the grader lived it went on"


WITHOUT_LINUX = """
import asyncio, concurrent.futures, ctypes, multiprocessing, socket, subprocess, sys, tempfile
import nbclient, psutil, tornado, zmq.asyncio
for name in ("fcntl", "resource", "pty", "termios"):
    sys.modules[name] = None
sys.platform = "win32"
del socket.AF_UNIX
ctypes.CDLL = None
from autograder.grading import grade
from autograder.grading.sandbox import Kernels, choose_kernels
from autograder.classroom import grade_task, stopping
choose_kernels(own_machine=True).close()
try:
    choose_kernels()
except Exception as error:
    print(error)
"""


def test_a_learner_grades_their_own_work_where_linux_modules_are_missing():
    done = subprocess.run([sys.executable, "-c", WITHOUT_LINUX], capture_output=True, text=True, timeout=120)
    assert "isolated on Linux alone; this is win32" in done.stdout, done.stderr
