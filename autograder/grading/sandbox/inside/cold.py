"""One kernel or checker, alone in its own bubblewrap, with nothing imported before: slower, but it needs no fork.

python -m inside.cold                  (the request is the first line of standard input, as JSON)

A request without a ``connection`` is one for a checker, which goes on to read from standard input.
"""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

from . import confine, places, system
from .kernel import become_kernel, set_environment


def main() -> None:
    signal.pthread_sigmask(signal.SIG_SETMASK, [])  # whoever started the grader may have blocked some
    reader, ready = os.fdopen(os.dup(0), "rb"), os.dup(1)
    request = json.loads(reader.readline())
    if os.getuid() == 0:
        system.drop_bounds()  # a plain user may not do that any more
        os.setgroups([])
        os.setresgid(*[places.LEARNER] * 3)
        os.setresuid(*[places.LEARNER] * 3)
    if "connection" not in request:
        from autograder.grading.checks import checker, codec  # noqa: F401
    confine.close_others({reader.fileno(), ready})
    confine.drop_rights(request["limits"])
    set_environment(request["environment"])
    for path, text in request.get("files", {}).items():
        target = Path(places.HOME, path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    if "connection" not in request:
        checker.serve(checker.Stream(reader, os.fdopen(ready, "wb")))
        os._exit(0)
    reader.close()
    become_kernel(request["connection"], ready)


if __name__ == "__main__":
    main()
