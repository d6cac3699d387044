"""Starts a Python kernel that imports nothing from beside its notebook before a cell is run.

A kernel starts as soon as JupyterLab opens a notebook, in the notebook's folder. As ``python -m ipykernel_launcher`` it
would first look there for the launcher itself, and for what the launcher imports: such files in a folder that was
handed in would run. This file is started by its path instead, and the folder counts from the first cell on.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any


def without_own_folder(paths: list[str]) -> list[str]:
    """``sys.path`` without this file's folder, which Python put there and whose modules no notebook means."""
    here = Path(__file__).resolve().parent
    return [path for path in paths if Path(path).resolve() != here]


def start() -> None:
    """Run the kernel; returns when it has ended."""
    from ipykernel.kernelapp import IPKernelApp  # first of all the path must be right

    kernel = IPKernelApp.instance()
    kernel.ignore_cwd = True
    kernel.initialize()
    shell: Any = kernel.shell

    def look_beside_the_notebook(_: object) -> None:
        shell.events.unregister("pre_run_cell", look_beside_the_notebook)
        kernel.ignore_cwd = False
        kernel.init_path()

    shell.events.register("pre_run_cell", look_beside_the_notebook)
    kernel.start()


if __name__ == "__main__":
    sys.path[:] = without_own_folder(sys.path)
    start()
