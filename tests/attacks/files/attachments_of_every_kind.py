# score:    7/10
# survives: grader, others
# why:      pictures that are scripts, attached to every cell

from tests.attacks.suite import write

SVG = {"image/svg+xml": "<svg onload=attack()><script>attack()</script></svg>", "text/html": "<img src=attack>"}


def make(folder, lesson, right):
    for cell in right.cells:
        cell["attachments"] = {"a.svg": SVG, "../a": {"image/png": "AAAA"}}
        if cell.id == "why":
            cell.source = "![x](attachment:a.svg) <img src=attachment:a.svg>"
    write(folder, lesson, right)
