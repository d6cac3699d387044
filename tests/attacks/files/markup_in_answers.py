# score:    7/10
# survives: others, grader
# why:      scripts and pictures in answers, outputs and messages, for whoever reads the feedback

from tests.attacks.suite import with_cells, write

MARKUP = "<script>attack()</script><img src=x onerror=attack()></pre></template><iframe src=attack>{{ 7*7 }}"


def make(folder, lesson, right):
    answer = (
        f"from IPython.display import HTML, display\ndisplay(HTML({MARKUP!r}))\ndef double(x):\n    return {MARKUP!r}\n"
    )
    write(folder, lesson, with_cells(lesson, {"double": answer, "why": f"{MARKUP} =HYPERLINK(1) {{{{7*7}}}}"}))
