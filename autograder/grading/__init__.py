"""Grading in four stages, each one module, joined by plain data.

:mod:`.intake` makes a clean notebook of whatever was handed in and runs none of it; :mod:`.run` executes it;
:mod:`.verdict` turns what the cells left behind into points and words; :mod:`.record` writes the gradebook.
:mod:`.stages` hangs them into nbgrader's converters; :mod:`.report` shows the result to people.
"""
