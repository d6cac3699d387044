"""The one exception whose text is meant for the person at the terminal, what is said where the machine refuses, and
which errors are the machine's fault."""

from __future__ import annotations

import errno
import re

from .grading.text import clean_line

UNFINISHED_NAME = re.compile(r"\.([^/\\]+)\.\d+\.unfinished$")  # as files.write_whole calls what it is writing
DATABASE = ("sqlalchemy.", "sqlite3")  # whose modules these errors come from
DATABASE_ERRORS = ("OperationalError", "DatabaseError")  # locked, full, damaged; others are faults of a program
SHORT_OF = (errno.ENOSPC, errno.EDQUOT, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOBUFS, errno.EROFS, errno.EIO)
NO_THREAD = "can't start new thread"  # all that Python says where the system gives no thread; the class says nothing
FAR_AWAY = (errno.ESTALE, errno.ETIMEDOUT, errno.EHOSTDOWN)  # a disk in the network does not answer


class CourseError(Exception):
    """What was wrong, where, and what to do about it, in one or two sentences.

    The ``course`` command prints the text without a traceback and ends with status 2.
    """


def is_of_a_database(error: BaseException) -> bool:
    """Whether a database is locked, damaged or full. Imports none: most commands do without."""
    kind = type(error)
    return f"{kind.__module__}.".startswith(DATABASE) and kind.__name__ in DATABASE_ERRORS


def why_refused(error: BaseException) -> str:
    """What the system or a database said, in one line, with the file that it is about."""
    if not isinstance(error, OSError) or not error.strerror:
        return (str(error).splitlines() or [type(error).__name__])[0]
    name = error.filename if error.filename2 is None else error.filename2  # of two it is the one to be written
    if name is None:
        return error.strerror
    meant = UNFINISHED_NAME.sub(r"\1", str(name))
    return f"{error.strerror}: {clean_line(meant)}"


def is_machine_fault(error: BaseException) -> bool:
    """Whether an error says that this machine has no memory, room, open files, threads or disk: nobody has a result by
    it."""
    if isinstance(error, OSError):
        return error.errno in (*SHORT_OF, *FAR_AWAY)
    return isinstance(error, MemoryError) or (type(error) is RuntimeError and str(error) == NO_THREAD)
