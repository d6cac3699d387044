# score:    10/10
# says:     could not be stopped
# survives: grader, others
# why:      a cell's first line, which the report quotes, with a terminal's codes and markup in it

from tests.attacks.suite import with_cells, write

LOOP = "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True:\n    pass\n"


def make(folder, lesson, right):
    first = "# \x1b]0;attack\x07\x1b[2J [bold red]attack[/] <img src=x onerror=attack>\n"
    write(folder, lesson, with_cells(lesson, {"first": first + LOOP}))
