"""One kernel, alone in its own bubblewrap, with nothing imported before: slower, but it needs no fork.

python -m inside.cold                  (the request is the first line of standard input, as JSON)
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from . import confine, system
from .kernel import become_kernel, set_environment


def main() -> None:
    ready = os.dup(1)
    request = json.loads(sys.stdin.buffer.readline())
    if os.getuid() == 0:
        system.drop_bounds()  # a plain user may not do that any more
        os.setgroups([])
        os.setresgid(*[confine.LEARNER] * 3)
        os.setresuid(*[confine.LEARNER] * 3)
    confine.close_others({ready})
    confine.drop_rights(request["limits"])
    set_environment(request["environment"])
    for path, text in request.get("files", {}).items():
        target = Path(confine.HOME, path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    become_kernel(request["connection"], ready)


if __name__ == "__main__":
    main()
