"""The SQL that runs meanwhile: what is asked of the gradebook must not grow with the class."""

from __future__ import annotations

from contextlib import contextmanager

import sqlalchemy


@contextmanager
def statements():
    """The SQL that runs meanwhile, on whichever connection."""
    seen: list[str] = []

    def note(connection, cursor, statement, *rest) -> None:
        seen.append(statement)

    sqlalchemy.event.listen(sqlalchemy.Engine, "before_cursor_execute", note)
    try:
        yield seen
    finally:
        sqlalchemy.event.remove(sqlalchemy.Engine, "before_cursor_execute", note)
