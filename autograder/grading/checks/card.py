"""The card that shows how a check ended: the same in a notebook, on the page of `course check` and in feedback.

Standard library alone: the build puts this file's text into a lesson's helpers.
"""

import html
import re

CARD_FIELDS = ("asked", "got", "expected", "likely", "reread")
CHECKS_OWN = CARD_FIELDS[2:]  # words of the check, after those that may quote a learner
LABEL_LINE = re.compile(rf"^\s*({'|'.join(CARD_FIELDS)}):[ \t]*(.*)$")
# A sign and a word go with every colour. Both colours have a contrast of 3 : 1 and more on white and on black.
PASSED, FAILED, OPEN = "#2e8b57", "#d5502f", "#808080"
PLACE = re.compile(r"\b(?:section|exercise) \d+\b", re.IGNORECASE)


def message_fields(message: str) -> dict[str, str]:
    """The labelled lines of a check's message: ``{label: value}``; a value may go on over several lines.

    What was asked and what came back may hold lines that look like labels, of a learner's making. They stand before
    what the check itself says, so of those labels the last one counts. A message that does not begin with a label has
    none: such lines in it are words of a learner's.
    """
    lines = message.strip().splitlines()
    if not lines or not LABEL_LINE.match(lines[0]):
        return {}
    places: dict[str, int] = {}
    for number, line in enumerate(lines):
        found = LABEL_LINE.match(line)
        if found and (found[1] in CHECKS_OWN or found[1] not in places):
            places[found[1]] = number
    starts = sorted(places.values())
    parts = {}
    for label, start in sorted(places.items(), key=lambda place: place[1]):
        end = next((other for other in starts if other > start), len(lines))
        first = LABEL_LINE.match(lines[start])
        parts[label] = "\n".join([first[2] if first else "", *lines[start + 1 : end]]).strip()
    return parts


def result_card(sign: str, title: str, points: str, body: str = "", colour: str = OPEN, more: bool = False) -> str:
    """One card as HTML. Every text but ``body`` is escaped here.

    Args:
        sign: sign and word, e.g. ``"✗ failed"``.
        title: what the check asks.
        points: e.g. ``"0 of 2 points"``; may be empty.
        body: HTML below the heading, e.g. of :func:`card_rows`.
        colour: of the bar at the left.
        more: whether a traceback below it says more; where not, this course's JupyterLab shows the card alone.
    """
    alone = "" if more else " course-card-alone"
    right = f" · {html.escape(points)}" if points else ""
    return (
        f'<div class="course-card{alone}" style="border-left:6px solid {colour};padding:2px 0 2px 10px;margin:4px 0;'
        'text-align:left;overflow-wrap:break-word">'
        f"<div><strong>{html.escape(sign)}</strong> · {html.escape(title)}{right}</div>{body}</div>"
    )


def card_rows(fields: dict[str, str], places: dict[str, str]) -> str:
    """The rows of a failed check's card.

    Args:
        fields: ``{label: value}``, as :func:`message_fields` gives them; labels without a value are left out.
        places: ``{"section 3": anchor}``: where the words of ``reread`` lead; empty where there is no notebook.
    """
    rows = []
    for label in CARD_FIELDS:
        if not fields.get(label):
            continue
        value = html.escape(fields[label])
        if label == "reread":
            value = PLACE.sub(lambda found: _link(found[0], places), value)
        rows.append(
            f'<div style="display:flex;gap:10px;margin:2px 0"><div style="flex:0 0 5.5em;opacity:.8">{label}</div>'
            f'<div style="white-space:pre-wrap;overflow-wrap:anywhere;min-width:0">{value}</div></div>'
        )
    return "".join(rows)


def _link(words: str, places: dict[str, str]) -> str:
    anchor = places.get(words.lower())
    return f'<a href="#{html.escape(anchor)}">{words}</a>' if anchor else words
