"""Draws assets/course_map.svg: the lessons as boxes, with an arrow from each lesson to those that build on it.

Run it after changing a title or an arrow: ``python assets/draw_course_map.py``. The group of a lesson is written in its
box, and its edge is solid or dashed, so colour is never the only sign. The background is white for dark themes.
"""

from __future__ import annotations

import textwrap
from html import escape
from pathlib import Path

from autograder.authoring.navigation import about
from autograder.paths import Course

TARGET = Path(__file__).with_name("course_map.svg")

# Colour of a group's edge, and the dashes that tell it apart without colour.
GROUPS = {
    "begin": ("#000000", ""),
    "one machine": ("#0072B2", ""),
    "many machines": ("#B34700", "9 4"),
    "training": ("#007A5A", "2 3"),
}

# Lesson: (column, row, group). Titles and arrows come from the first cells of the lessons' sources.
PLACES = {
    "00": (0, 1, "begin"),
    "01": (1, 1, "one machine"),
    "02": (2, 0, "one machine"),
    "03": (3, 0, "one machine"),
    "04": (2, 1, "one machine"),
    "05": (2, 2, "one machine"),
    "06": (3, 1, "many machines"),
    "07": (4, 1, "many machines"),
    "08": (4, 0, "training"),
    "09": (5, 1, "training"),
    "10": (6, 1, "training"),
    "11": (5, 2, "many machines"),
    "12": (6, 2, "training"),
}
COURSE = Course(TARGET.parents[1])
ABOUT = {slug[:2]: about(COURSE, slug) for slug in COURSE.lessons()}
ARROWS = [(before, number) for number, one in ABOUT.items() for before in one.after.replace(",", " ").split()]

MARGIN, WIDTH, HEIGHT, GAP_X, GAP_Y = 12, 128, 92, 26, 30  # of the drawing and its boxes, in pixels
LINE = 16  # letters of a title that fit into a line of a box


def corner(lesson: str) -> tuple[int, int]:
    """The upper left corner of a lesson's box, in pixels."""
    column, row, _ = PLACES[lesson]
    return MARGIN + column * (WIDTH + GAP_X), MARGIN + row * (HEIGHT + GAP_Y)


def box(lesson: str) -> str:
    """A lesson's rectangle with its number, title and group."""
    (x, y), (_, _, group) = corner(lesson), PLACES[lesson]
    color, dashes = GROUPS[group]
    edge = f'stroke="{color}" stroke-width="2.5"' + (f' stroke-dasharray="{dashes}"' if dashes else "")
    lines = [(22, "bold 15px", color, lesson)]
    title = textwrap.wrap(ABOUT[lesson].title, LINE)
    lines += [(43 + 15 * k, "14px", "#000000", line) for k, line in enumerate(title)]
    lines += [(HEIGHT - 10, "italic 12px", color, group)]
    texts = "".join(
        f'<text x="{x + 10}" y="{y + down}" style="font:{font} sans-serif" fill="{fill}"{_held(text)}>'
        f"{escape(text)}</text>\n"
        for down, font, fill, text in lines
    )
    return f'<rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="6" fill="#ffffff" {edge}/>\n{texts}'


def _held(text: str) -> str:
    """Nearly as wide as the box: told how wide to be, whatever the reader's font."""
    return f' textLength="{WIDTH - 20}" lengthAdjust="spacingAndGlyphs"' if len(text) > LINE - 3 else ""


def arrow(start: str, end: str) -> str:
    """A line from the right edge of one box to the next; between rows it turns in the gap before the target."""
    (x1, y1), (x2, y2) = corner(start), corner(end)
    x1, y1, y2 = x1 + WIDTH, y1 + HEIGHT // 2, y2 + HEIGHT // 2
    turn = x2 - GAP_X // 2 - 2
    if y1 != y2 and x2 - x1 > GAP_X:  # over an empty place: straight on, then into the target's lower edge
        x2, y2 = x2 + WIDTH // 2, y2 + HEIGHT // 2
        path = f"M{x1} {y1} H{x2} V{y2 + 3}"
    else:
        path = f"M{x1} {y1} H{x2 - 3}" if y1 == y2 else f"M{x1} {y1} H{turn} V{y2} H{x2 - 3}"
    return f'<path d="{path}" fill="none" stroke="#333333" stroke-width="2" marker-end="url(#tip)"/>\n'


def draw() -> str:
    """The whole picture as SVG text."""
    width = 2 * MARGIN + 7 * WIDTH + 6 * GAP_X
    height = 2 * MARGIN + 3 * HEIGHT + 2 * GAP_Y
    tip = '<marker id="tip" viewBox="0 0 10 10" refX="8" refY="5" markerWidth="6" markerHeight="6" orient="auto">'
    return (
        "<!-- Made by draw_course_map.py; change that, not this. -->\n"
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">\n'
        f'<title>Course map</title>\n<rect width="{width}" height="{height}" fill="#ffffff"/>\n'
        f'<defs>{tip}<path d="M0 0L10 5L0 10z" fill="#333333"/></marker></defs>\n'
        + "".join(arrow(*pair) for pair in ARROWS)
        + "".join(box(lesson) for lesson in PLACES)
        + "</svg>\n"
    )


if __name__ == "__main__":
    TARGET.write_text(draw(), encoding="utf-8", newline="\n")
    print(f"wrote {TARGET.name}")
