"""What every use of nbgrader's converters needs: the course's settings, a log that stays out of the terminal."""

from __future__ import annotations

import logging
import os

from nbconvert.exporters import Exporter
from nbformat import NotebookNode
from traitlets.config import Config
from traitlets.config.loader import PyFileConfigLoader

from .paths import Course

# asked of every nbgrader converter; without it jupyter_core warns on stderr about a coming change of its paths
os.environ.setdefault("JUPYTER_PLATFORM_DIRS", "1")


def nbgrader_config(course: Course) -> Config:
    """The course's nbgrader settings (``autograder/nbgrader_config.py``)."""
    return PyFileConfigLoader("nbgrader_config.py", path=str(course.config)).load_config()


class ConverterLog(logging.Handler):
    """Keeps the log of an nbgrader converter out of the terminal, for the message if a step fails."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.logger = logging.Logger("nbgrader")
        self.logger.addHandler(self)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage().strip())

    def last_words(self) -> str:
        """The last line of each of the last messages: of a traceback, what was raised."""
        return " ".join(line.splitlines()[-1] for line in self.lines[-3:] if line)


def run_preprocessors(exporter: Exporter, notebook: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
    """What an exporter does before it exports, without the copies of the notebook that nbconvert makes for it."""
    resources = exporter._init_resources(resources)
    for preprocessor in exporter._preprocessors:
        notebook, resources = preprocessor(notebook, resources)
    return notebook, resources
