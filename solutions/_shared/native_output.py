# @title Native output (run this; open it to see how it works)
# TensorFlow's C++ code prints past Python, straight to file descriptors 1 and 2. This collects it
# inside one cell, so that a log cannot turn up below the wrong cell.
import contextlib
import ctypes
import os
import tempfile
import types


def flush_c():
    """Empty the C library's print buffer: what is still in it belongs to whoever printed it."""
    ctypes.CDLL("ucrtbase" if os.name == "nt" else None).fflush(None)


@contextlib.contextmanager
def native_output():
    """`with native_output() as log: ...`; then log.text is what C++ printed meanwhile.

    What Python prints is not in it.
    """
    log = types.SimpleNamespace(text="")
    flush_c()
    saved = {descriptor: os.dup(descriptor) for descriptor in (1, 2)}
    with tempfile.TemporaryFile() as file:
        for descriptor in saved:
            os.dup2(file.fileno(), descriptor)
        try:
            yield log
        finally:
            flush_c()
            for descriptor, original in saved.items():
                os.dup2(original, descriptor)
                os.close(original)
            file.seek(0)
            log.text = file.read().decode(errors="replace")
