"""Messages of nbgrader's commands and of the Jupyter server, shown plainly in a terminal.

They name files and folders as learners named them: with codes that clear the screen or set the window's title, and with
line ends that would forge a message of their own.
"""

from __future__ import annotations

import logging
from typing import Any

from .grading.text import clean

PLAIN = logging.Formatter()


class _Plain:
    """Makes records as ``make`` does, of which the message can be shown."""

    def __init__(self, make: Any) -> None:
        self.make = make

    def __call__(self, *args: Any, **kwargs: Any) -> logging.LogRecord:
        record: logging.LogRecord = self.make(*args, **kwargs)
        if not isinstance(record.msg, str | BaseException):  # an event, which its own handler writes
            return record
        try:
            message = record.getMessage()
            if record.exc_info:  # a traceback ends with the error's own words
                message += "\n" + PLAIN.formatException(record.exc_info)
                record.exc_info = None
        except Exception:  # of the caller's making: logging itself says so
            return record
        record.msg, record.args = clean(message).replace("\n", "\n    "), ()
        return record


def show_plainly() -> None:
    """From now on, for all that this process logs."""
    make = logging.getLogRecordFactory()
    if not isinstance(make, _Plain):
        logging.setLogRecordFactory(_Plain(make))
