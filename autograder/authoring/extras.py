"""What only those need who change the course: the packages of the extra ``test``."""

from __future__ import annotations

from importlib.util import find_spec

from ..errors import CourseError


def needs(*modules: str) -> None:
    """Called by a command before it uses packages that learners and teachers do without.

    Raises:
        CourseError: one of these modules is not installed.
    """
    missing = [module for module in modules if find_spec(module) is None]
    if missing:
        raise CourseError(
            f"Not installed: {', '.join(missing)}, which only those need who change the course. `make test` installs "
            "it into .venv; in another environment, run `pip install -r requirements-test.txt`."
        )
