"""nbgrader's exchange: the folder through which a class on one machine gets lessons, hands in and gets feedback.

nbgrader opens it to every account of the machine (mode 0777), also where it lies in the teacher's own folder. Here that
is done only where the teacher chose it: ``exchange_for_everyone`` in ``[tool.course]`` of ``pyproject.toml``; and
sticky, so that nobody puts a folder of theirs in the place of the class's. Else its mode stays as whoever made it
wanted it, and a group can share it.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from nbgrader.exchange.default import ExchangeReleaseAssignment, ExchangeSubmit
from nbgrader.exchange.default.exchange import Exchange
from traitlets import Bool

from ..paths import OPEN

HANDED_IN = 0o755  # the teacher, another account, can read it; its name is random, and its folder cannot be listed


class OwnModes(Exchange):
    """What the classes here share: the teacher's choice."""

    for_everyone = Bool(False, help="Every account of this machine may write to the exchange.").tag(config=True)


class PlainRelease(OwnModes, ExchangeReleaseAssignment):
    """``nbgrader release_assignment``: leaves the mode of the exchange as it is, unless it is for everyone."""

    def ensure_root(self) -> None:
        if self.for_everyone:
            super().ensure_root()
            with suppress(OSError):  # another one's, who has seen to it
                Path(self.root).chmod(OPEN)
        else:
            Exchange.ensure_root(self)


class PlainSubmit(OwnModes, ExchangeSubmit):
    """``nbgrader submit``: what was handed in can be changed by all only where the exchange is for everyone."""

    def copy_files(self) -> None:
        super().copy_files()
        if not self.for_everyone:
            Path(self.inbound_path, self.assignment_filename).chmod(HANDED_IN)
