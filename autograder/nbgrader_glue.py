"""What every use of nbgrader's converters needs: the course's settings, and a log that stays out of the terminal."""

from __future__ import annotations

import logging

from traitlets.config import Config, PyFileConfigLoader

from .paths import Course


def nbgrader_config(course: Course) -> Config:
    """The course's nbgrader settings (``autograder/nbgrader_config.py``), for the converters of `course build` and
    `course grade`.
    """
    return PyFileConfigLoader("nbgrader_config.py", path=str(course.config)).load_config()


class ConverterLog(logging.Handler):
    """Keeps what an nbgrader converter logs out of the terminal; the error message of a failed step quotes its end."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.logger = logging.Logger("nbgrader")
        self.logger.addHandler(self)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage().strip())

    def last_words(self) -> str:
        """The end of the log in one line: of the last three messages the last line each, which names the error."""
        return " ".join(line.splitlines()[-1] for line in self.lines[-3:] if line)
