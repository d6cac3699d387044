# @title Waiting: in_background, attempt, within, wait_until (run this)
import concurrent.futures
import threading
import time

import tensorflow as tf


def in_background(function, *args, **options):
    """Call function(*args, **options) in a thread; the Future gets its result or its error."""
    future = concurrent.futures.Future()

    def work():
        try:
            future.set_result(function(*args, **options))
        except Exception as error:
            future.set_exception(error)

    threading.Thread(target=work, daemon=True).start()
    return future


def within(milliseconds):
    """The options of a session's run that may take so long."""
    return tf.compat.v1.RunOptions(timeout_in_ms=milliseconds)


def attempt(run, *args, label="", **options):
    """Print the label, the seconds, and what run(...) returns or its error in one line."""
    start = time.monotonic()
    try:
        outcome = run(*args, **options)
    except tf.errors.OpError as error:
        reason = error.message.split("\n\t [[")[0].strip().splitlines()[-1]
        outcome = f"{type(error).__name__}: {reason}"
    print(f"{label}{time.monotonic() - start:.1f} s  {outcome}")


def wait_until(condition, seconds=30):
    """Look again and again until condition() is true."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.01)


def settled(count, seconds=0.3):
    """What count() gives once it has stayed the same for some seconds."""
    before = None
    while before != count():
        before = count()
        time.sleep(seconds)
    return before
