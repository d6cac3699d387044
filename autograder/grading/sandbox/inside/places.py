"""Where a submission finds itself, and as whom. Imports nothing: the grader reads this on every system."""

from __future__ import annotations

HOME = "/learner"  # a name that no system uses, so that nothing that is bound read-only lies beneath it
HERE = f"{HOME}/notebook"  # the working folder; empty
SOCKETS = "/run/kernel"  # where the kernel's own sockets are
LEARNER = 1000  # the user that a submission sees itself as
