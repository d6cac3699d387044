"""Draws assets/grading_way.svg: how one submission becomes points, and which walls it meets.

Run it after a step has changed its name or its place: ``python assets/draw_grading_way.py``. docs/grading.md shows the
picture and says the same in words. Walls are dashed and named, so colour is never the only sign.
"""

from __future__ import annotations

from html import escape
from pathlib import Path

TARGET = Path(__file__).with_name("grading_way.svg")
INK, WALL, PAPER = "#1a1a1a", "#B34700", "#ffffff"
MARGIN, WIDTH, HEIGHT, GAP = 16, 140, 74, 24  # of the drawing and its boxes, in pixels

# The steps in the teacher's process: name, and what each gives to the next.
STEPS = [
    ("read", "bytes, no link", "followed"),
    ("intake", "our checks,", "their answers"),
    ("run", "cells and checks,", "in their order"),
    ("verdict", "a status and points", "for each check"),
    ("keep", "the journal:", "what is true"),
    ("record", "gradebook, pages,", "class report"),
]
# What "run" starts: column, name, words, name of the wall around it.
WALLED = [
    (1.0, "learner's kernel", "runs the cells", "sandbox: no network, no files, limits"),
    (3.0, "the checker", "asks and judges", "sandbox of its own"),
]
UPPER, LOWER = 54, 204  # upper edges of the two rows of boxes


def text(x: float, y: float, words: str, font: str = "13px", fill: str = INK, anchor: str = "middle") -> str:
    style = f'style="font:{font} sans-serif" fill="{fill}" text-anchor="{anchor}"'
    return f'<text x="{x:g}" y="{y:g}" {style}>{escape(words)}</text>\n'


def box(x: float, y: float, width: float, name: str, *lines: str) -> str:
    """A step: its name, and a line or two of words."""
    rect = f'<rect x="{x:g}" y="{y}" width="{width:g}" height="{HEIGHT}" rx="6" fill="{PAPER}" stroke="{INK}"/>\n'
    middle = x + width / 2
    words = "".join(text(middle, y + 44 + 17 * k, line, "12px") for k, line in enumerate(lines))
    return rect + text(middle, y + 23, name, "bold 15px") + words


def arrow(path: str, both: bool = False) -> str:
    start = ' marker-start="url(#tip)"' if both else ""
    return f'<path d="{path}" fill="none" stroke="{INK}" stroke-width="2" marker-end="url(#tip)"{start}/>\n'


def left(column: float) -> float:
    return MARGIN + column * (WIDTH + GAP)


def draw() -> str:
    """The whole picture as SVG text."""
    width, height = left(len(STEPS)) - GAP + MARGIN, LOWER + HEIGHT + 62
    parts = [text(MARGIN, 30, "the grader's own process: runs nothing of a learner's", "bold 13px", anchor="start")]
    for column, (name, *lines) in enumerate(STEPS):
        parts.append(box(left(column), UPPER, WIDTH, name, *lines))
        if column:
            parts.append(arrow(f"M{left(column) - GAP:g} {UPPER + HEIGHT / 2} H{left(column) - 3:g}"))
    for place, name, words, wall in WALLED:
        x, wide = left(place) - 16, WIDTH + 32
        frame = f'<rect x="{x - 14:g}" y="{LOWER - 14}" width="{wide + 28:g}" height="{HEIGHT + 28}" rx="8" fill="none"'
        parts.append(f'{frame} stroke="{WALL}" stroke-width="3" stroke-dasharray="9 5"/>\n')
        parts.append(box(x, LOWER, wide, name, words))
        parts.append(text(x + wide / 2, LOWER + HEIGHT + 34, wall, "12px", WALL))
    start = left(2) + WIDTH / 2
    for place, *_ in WALLED:
        end = left(place) + WIDTH / 2
        parts.append(arrow(f"M{start:g} {UPPER + HEIGHT} V{LOWER - 38} H{end:g} V{LOWER - 17}"))
    between = left(1) + WIDTH + 33, left(3) - 33
    parts.append(arrow(f"M{between[0]:g} {LOWER + 37} H{between[1]:g}", both=True))
    parts.append(text(sum(between) / 2, LOWER + 27, "calls and values,", "12px"))
    parts.append(text(sum(between) / 2, LOWER + 57, "never objects", "12px"))
    marker = 'id="tip" viewBox="0 0 10 10" refX="8" refY="5" markerWidth="6" markerHeight="6"'
    tip = f'<marker {marker} orient="auto-start-reverse"><path d="M0 0L10 5L0 10z" fill="{INK}"/></marker>'
    size = f'viewBox="0 0 {width:g} {height}" width="{width:g}" height="{height}"'
    paper = f'<rect width="{width:g}" height="{height}" fill="{PAPER}"/>'
    return (
        "<!-- Made by draw_grading_way.py; change that, not this. -->\n"
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}>\n<title>How one submission becomes points</title>\n'
        f"{paper}\n<defs>{tip}</defs>\n" + "".join(parts) + "</svg>\n"
    )


if __name__ == "__main__":
    TARGET.write_text(draw(), encoding="utf-8", newline="\n")
    print(f"wrote {TARGET.name}")
