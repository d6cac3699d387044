"""The machinery of the course: build, lint, lab, grading and reports, behind the ``course`` command."""

__version__ = "0.1.0"
