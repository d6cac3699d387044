"""The one exception whose text is meant for the person at the terminal."""


class CourseError(Exception):
    """What was wrong, where, and what to do about it, in one or two sentences.

    The ``course`` command prints the text without a traceback and ends with status 2.
    """
