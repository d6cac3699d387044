"""What every use of nbgrader's converters needs: the course's settings, a log that stays out of the terminal."""

from __future__ import annotations

import logging
import os

from nbconvert.exporters import Exporter
from nbformat import NotebookNode
from traitlets.config import Config, PyFileConfigLoader

from .paths import Course

# asked of every nbgrader converter; without it jupyter_core warns on stderr about a coming change of its paths
os.environ.setdefault("JUPYTER_PLATFORM_DIRS", "1")


def nbgrader_config(course: Course) -> Config:
    """The course's nbgrader settings (``autograder/nbgrader_config.py``).

    Raises:
        CourseError: what the teacher set in ``pyproject.toml`` cannot be used.
    """
    course.chosen()  # says what is wrong there
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
        """The end of the log in one line: of the last three messages the line each that names the error."""
        return " ".join(_telling(line.splitlines()) for line in self.lines[-3:] if line)


def _telling(lines: list[str]) -> str:
    """Of a traceback it is the last line, of a database's error the first."""
    return lines[0] if lines[-1].startswith("(Background on this error") else lines[-1]


def run_preprocessors(exporter: Exporter, notebook: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
    """What an exporter does before it exports, without the copies of the notebook that nbconvert makes for it."""
    resources = exporter._init_resources(resources)
    for preprocessor in exporter._preprocessors:
        notebook, resources = preprocessor(notebook, resources)
    return notebook, resources
