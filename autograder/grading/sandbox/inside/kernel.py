"""Turn this process into a Jupyter kernel."""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import logging
import multiprocessing.process
import os
import random
import sys
from pathlib import Path
from typing import Any, TextIO

from .cells import run_as_read
from .imports import find_beside_for_own_imports
from .places import HERE, HOME, SOCKETS

# Everything that a kernel imports before its first cell.
KERNEL_MODULES = (
    "ipykernel.kernelapp", "ipykernel.ipkernel", "ipykernel.zmqshell", "ipykernel.debugger",
    "IPython.core.completerlib", "IPython.core.magics", "matplotlib_inline.config", "comm", "psutil",
)  # fmt: skip
# Hooks itself into the shell that is there when it is imported: the kernel has to do that.
LATER = ("matplotlib_inline.backend_inline",)
READY = b"ready\n"


def preload(modules: list[str]) -> None:
    """Import what kernels and lessons use. Imports alone: an op, a trace or a list of logical devices would start
    threads and locks that a fork does not survive.

    Raises:
        RuntimeError: an import started threads.
    """
    sys.ps1 = "In : "  # as in a kernel: TensorFlow then logs to stdout instead of stderr
    for name in (*KERNEL_MODULES, *modules):
        with contextlib.suppress(ImportError):  # a slimmer environment: what a lesson misses, its cell says
            importlib.import_module(name)
    if "tensorflow" in sys.modules:
        tensorflow = sys.modules["tensorflow"]
        keras = ("keras.layers", "keras.Model") if "keras" in modules else ()
        for name in ("compat.v1.Session", "data.Dataset", "train.Checkpoint", *keras):
            target = tensorflow
            for part in name.split("."):  # each is loaded when first asked for
                target = getattr(target, part)
    for name in LATER:
        sys.modules.pop(name, None)
    threads = len(os.listdir("/proc/self/task"))  # noqa: PTH208
    if threads > 1:
        raise RuntimeError(f"The imports {', '.join(modules)} started {threads - 1} threads: no fork is safe.")
    gc.collect()
    gc.freeze()  # the collector leaves the shared pages alone


def set_environment(environment: dict[str, str]) -> None:
    """Replace the whole environment by a plain one and ``environment``."""
    os.environ.clear()
    os.environ.update(
        {
            "PATH": f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin",
            "HOME": HOME,
            "USER": "learner",
            "LANG": "C.UTF-8",
            "TMPDIR": "/tmp",
            "SHELL": "/bin/sh",
            "PYTHONNOUSERSITE": "1",  # no code out of a submission's home in the processes that a lesson starts
        }
        | environment
    )
    os.umask(0o022)


def become_kernel(connection: dict[str, Any], ready: int) -> None:
    """Serve as a kernel until told to end; never returns.

    Args:
        connection: as in a kernel's connection file; its sockets are ``SOCKETS/kernel-N``.
        ready: a descriptor that gets ``READY`` once all sockets are bound, before any cell is read.
    """
    import ipykernel.kernelapp

    streams = (sys.stdout, sys.stderr)
    references = logging._handlerList  # type: ignore[attr-defined] # private; ipykernel's own settings empty it
    handlers = [reference() for reference in references]
    _reseed()
    Path(HERE).mkdir(exist_ok=True)
    os.chdir(HERE)
    multiprocessing.process.ORIGINAL_DIR = HERE  # type: ignore[attr-defined] # not in typeshed; where processes that it spawns look for modules
    file = Path(HOME, ".local/share/jupyter/runtime/kernel.json")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(connection | {"ip": f"{SOCKETS}/kernel", "transport": "ipc"}))
    sys.argv = ["ipykernel_launcher.py"]
    sys.path[:] = [entry for entry in sys.path if not entry.startswith("/run")]  # this package itself
    for name in ("__file__", "__spec__", "__cached__", "__loader__"):
        sys.modules["__main__"].__dict__.pop(name, None)
    app = ipykernel.kernelapp.IPKernelApp.instance()
    app.initialize(["-f", str(file), "--HistoryManager.hist_file=:memory:"])
    file.unlink()  # with its key any process of the notebook's could send a cell that nobody has read
    shell: Any = app.shell
    run_as_read(shell)
    shell.unobserve_all("exit_now")  # it would end the kernel a moment after `exit()`, in whatever runs then
    sys.path[:] = [*filter(None, sys.path)]
    _keep_names()
    find_beside_for_own_imports()
    sys.path.append("")  # a file of the notebook's takes no known module's place
    _rebind_logging(handlers, streams)
    os.write(ready, READY)
    os.close(ready)
    app.start()
    _flush()
    os._exit(0)


def _keep_names() -> None:
    """No file of the notebook's is found for modules that a cell may load or import though they are not here."""
    import IPython.extensions.autoreload as autoreload

    sys.modules["autoreload"] = autoreload  # `%load_ext autoreload` asks for this name first
    with contextlib.suppress(ImportError):
        google = importlib.import_module("google")
        google.__path__ = [*google.__path__]  # a namespace's own path grows with sys.path: google.colab


def _reseed() -> None:
    """Forked kernels would all draw the same numbers."""
    random.seed()
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed()


def _rebind_logging(handlers: list[Any], old: tuple[TextIO, TextIO]) -> None:
    """Handlers that were made before the kernel's streams were: let them write to the cell that runs."""
    for handler in handlers:
        stream = getattr(handler, "stream", None)
        if stream is not None and stream in old:
            handler.stream = sys.stdout if stream is old[0] else sys.stderr


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()
