"""Grading, from a submission's bytes to its report, in steps that plain data joins.

:mod:`.intake` makes a clean notebook of whatever was handed in and runs none of it; :mod:`.execute` runs it, each check
judged in its place by :mod:`.checks`; :mod:`.verdict` turns what came into points and words, a :mod:`.report`.
:mod:`.grade` is the three in one call. What becomes of a report of a class is `autograder.classroom`'s.
"""
