"""Make the course's own environment in .venv, from the lock. Needs nothing but Python and a network.

    python3 autograder/bootstrap.py         what learners and teachers need: requirements.txt
    python3 autograder/bootstrap.py test    with what the tests need besides: requirements-test.txt

Run by the Makefile before anything else. It uses only the standard library and old syntax, so that a Python
that is too old gets a sentence and not a SyntaxError.
"""

import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))  # as make has it, links followed
VENV = os.path.join(ROOT, ".venv")
LOCK = os.path.join(ROOT, "requirements.txt")
TEST_LOCK = os.path.join(ROOT, "requirements-test.txt")
# files in .venv that name the course's folder; the Makefile compares their age with the locks'
READY = {LOCK: "ready", TEST_LOCK: "ready-test"}
OLDEST, NEWEST = (3, 11), (3, 13)


class SetupError(Exception):
    """A sentence for the person at the terminal."""


def fits(version):
    """Whether TensorFlow and the lock support this Python version, given as ``(major, minor)``."""
    return OLDEST <= tuple(version[:2]) <= NEWEST


def version_of(python):
    """``(major, minor)`` of an interpreter, or None when it does not run."""
    code = "import sys; print(sys.version_info[0], sys.version_info[1])"
    try:
        answer = subprocess.run([python, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=30)
        return tuple(int(part) for part in answer.stdout.split()) or None
    except (OSError, ValueError, subprocess.SubprocessError):
        return None


def find_python():
    """This interpreter if it fits, else another one on PATH that does."""
    if fits(sys.version_info):
        return sys.executable
    for minor in range(NEWEST[1], OLDEST[1] - 1, -1):
        python = shutil.which("python3.%d" % minor)
        if python and fits(version_of(python) or (0, 0)):
            return python
    raise SetupError(
        "this is Python %d.%d, and TensorFlow needs Python %d.%d to %d.%d. Install one of these, or name it: "
        "make lab PYTHON=python3.12" % (tuple(sys.version_info[:2]) + OLDEST + NEWEST)
    )


def venv_python(folder=None):
    """The interpreter inside a virtual environment, by default .venv."""
    inside = ("Scripts", "python.exe") if os.name == "nt" else ("bin", "python")
    return os.path.join(folder or VENV, *inside)


def run(*command):
    """Run a command with byte-code writing allowed (without it, importing TensorFlow takes three times as long)."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    environment["VIRTUAL_ENV"] = VENV
    return subprocess.call(list(command), env=environment) == 0


def is_of_another_folder():
    """Whether .venv was moved or copied with the course: its programs lead to where it was made."""
    try:
        with open(os.path.join(VENV, READY[LOCK]), encoding="utf-8", errors="surrogateescape") as stamp:
            made_in = stamp.read().strip()
    except OSError:
        return False
    return os.path.isabs(made_in) and made_in != ROOT  # an older stamp names no folder


def make_venv(python):
    """Create .venv, or keep one that works."""
    if fits(version_of(venv_python()) or (0, 0)) and not is_of_another_folder():
        return
    shutil.rmtree(VENV, ignore_errors=True)
    if not run(python, "-m", "venv", VENV):
        shutil.rmtree(VENV, ignore_errors=True)
        raise SetupError(
            "%s could not make a virtual environment (its message is above). On Debian and Ubuntu: "
            "sudo apt-get install python3-venv, then try again." % python
        )


def lock_entry(name):
    """The lines of one package in the larger lock: its pin and its hashes."""
    with open(TEST_LOCK, encoding="utf-8") as lock:
        found = re.search(r"^%s==.*?(?=^\S|\Z)" % re.escape(name), lock.read(), re.MULTILINE | re.DOTALL)
    return found.group(0) if found else None


def install(lock):
    """Everything in a lock, checked against its hashes; with uv for speed, with pip where uv does not work."""
    python = venv_python()
    uv_lock = os.path.join(VENV, "uv-lock.txt")
    with open(uv_lock, "w", encoding="utf-8") as file:
        file.write(lock_entry("uv") or "uv\n")
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    if run(*(pip + ["-r", uv_lock])) and run(
        python, "-m", "uv", "pip", "install", "--quiet", "--compile-bytecode", "--require-hashes", "-r", lock
    ):
        return
    print("course: uv did not manage; trying pip, which is slower ...", flush=True)
    if not run(*(pip + ["--require-hashes", "-r", lock])):
        raise SetupError(not_installed(lock, "the reason is above"))


def not_installed(lock, reason):
    """The sentence for packages that are not there."""
    return (
        "the packages of %s could not be installed (%s). "
        "Is there a network, and 4 GB of free disk? Then run the same command again; nothing is lost."
        % (os.path.basename(lock), reason)
    )


def install_course():
    """This project itself, editable, so that the `course` command exists."""
    package = ["install", "--quiet", "--no-deps", "--no-build-isolation", "--editable", ROOT]
    if not run(*([venv_python(), "-m", "pip", "--disable-pip-version-check"] + package)):
        raise SetupError("the `course` command could not be installed (the reason is above).")


def say_ready(lock):
    """Leave the stamps that tell the Makefile what .venv holds; the larger lock holds all of the smaller one."""
    for made in [LOCK] if lock == LOCK else [LOCK, TEST_LOCK]:
        with open(os.path.join(VENV, READY[made]), "w", encoding="utf-8", errors="surrogateescape") as stamp:
            stamp.write(ROOT + "\n")


def main(arguments):
    lock = TEST_LOCK if arguments == ["test"] else LOCK
    try:
        python = find_python()
        print(
            "course: preparing .venv from %s (once; most of a gigabyte to download) ..." % os.path.basename(lock),
            flush=True,
        )
        make_venv(python)
        install(lock)
        install_course()
        say_ready(lock)
        print("course: ready.", flush=True)
        return 0
    except SetupError as error:
        print("course: %s" % error, file=sys.stderr)
        return 2
    except OSError as error:  # of a disk that is full, say
        print("course: %s" % not_installed(lock, error), file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("course: stopped; run the same command again to go on.", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
