#@title Native output (run this; open it to see how it works)
# TensorFlow's C++ code prints past Python, straight to file descriptors 1 and 2. This collects it inside one cell, so
# that a log cannot turn up below the wrong cell.
import contextlib, ctypes, os, tempfile, types


def flush_c():
    """Empty the C library's print buffer: what it still holds belongs to whoever printed it, not to the next reader."""
    ctypes.CDLL("ucrtbase" if os.name == "nt" else None).fflush(None)


@contextlib.contextmanager
def native_output():
    """`with native_output() as log: ...`, then read log.text: what C++ printed meanwhile. Python's print is not in it."""
    log = types.SimpleNamespace(text="")
    flush_c()
    saved = [os.dup(1), os.dup(2)]
    with tempfile.TemporaryFile() as file:
        for descriptor in (1, 2):
            os.dup2(file.fileno(), descriptor)
        try:
            yield log
        finally:
            flush_c()
            for descriptor, original in zip((1, 2), saved):
                os.dup2(original, descriptor)
                os.close(original)
            file.seek(0)
            log.text = file.read().decode(errors="replace")
