"""The one exception whose text is meant for the person at the terminal, and which errors are the machine's fault."""

import errno

SHORT_OF = (errno.ENOSPC, errno.EDQUOT, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EROFS, errno.EIO)


class CourseError(Exception):
    """What was wrong, where, and what to do about it, in one or two sentences.

    The ``course`` command prints the text without a traceback and ends with status 2.
    """


def is_machine_fault(error: BaseException) -> bool:
    """Whether an error says that this machine has no memory, room or open files left: nobody has a result by it."""
    return isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno in SHORT_OF)
