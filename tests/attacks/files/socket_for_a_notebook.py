# score:    0/10
# says:     a socket
# survives: grader, others
# why:      a socket where the notebook should be

import os
import socket
from pathlib import Path


def make(folder, lesson, right):
    here = Path.cwd()
    os.chdir(folder)  # a socket's path is short
    try:
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(f"{lesson.name}.ipynb")
    finally:
        os.chdir(here)
