# @title Process times (run this; open it to see how it works)
"""Every process over time: start, step, wait, death and restart, read from what the processes print.

Lines that count: "start 12.5 step 0", "step 3 in 17.25", "step 3 out 17.5", "NameOfError at 18.0"; times in
seconds of one clock.
"""

import html
import re

import IPython.display
from solutions._shared.figures import PALETTE

LINE = re.compile(
    r"^(?:start (?P<start>[\d.]+)|step (?P<step>\d+) (?P<way>in|out) (?P<came>[\d.]+)"
    r"|(?P<error>\w+Error) at (?P<failed>[\d.]+))"
)
SIGNS = {
    "start": ("▶", PALETTE["green"]),
    "frozen": ("‖", PALETTE["ink"]),
    "thawed": ("›", PALETTE["ink"]),
}
WIDE, LEFT, ROW, TOP = 750, 90, 54, 30  # of the picture and its parts, in pixels


def spans_of(text, now):
    """What one process did: [(kind, from, to, words)], by time.

    Kinds: "step" (it computes), "wait" (it has come in and not gone out), "start", "error" (a moment: from = to).
    What has not ended lasts until `now`; what a process was at when it was killed and started again is left out.
    """
    spans, since, waits_for = [], None, None
    for found in filter(None, map(LINE.match, text.splitlines())):
        moment = float(found["start"] or found["came"] or found["failed"])
        if found["start"]:
            spans.append(("start", moment, moment, ""))
            waits_for = None
        elif waits_for:
            spans.append(("wait", since, moment, waits_for))
            waits_for = None
        elif since is not None and found["way"] == "in":
            spans.append(("step", since, moment, found["step"]))
            waits_for = found["step"]
        if found["error"]:
            spans.append(("error", moment, moment, found["error"]))
        since = None if found["error"] else moment
    if since is not None:
        kind = "wait" if waits_for else "step"
        spans.append((kind, since, max(now, since), waits_for or ""))
    return spans


def letters(x, y, words, more=""):
    return f'<text x="{x:.1f}" y="{y}" {more}>{html.escape(str(words))}</text>'


def drawn(span, y, x_of, numbered):
    """One span as SVG: a high bar for a step, a low hatched one for a wait, a sign for a moment."""
    kind, begin, end, words = span
    x, wide = x_of(begin), max(1.0, x_of(end) - x_of(begin))
    if kind == "step":
        bar = f'<rect x="{x:.1f}" y="{y}" width="{wide:.1f}" height="20" fill="{PALETTE["blue"]}"/>'
        return bar + (letters(x + 2, y - 3, words, 'fill="#555555"') if numbered else "")
    if kind == "wait":
        return (
            f'<rect x="{x:.1f}" y="{y + 6}" width="{wide:.1f}" height="8" fill="url(#wait)" '
            f'stroke="{PALETTE["orange"]}"/>'
        )
    sign, colour = SIGNS.get(kind, ("✗", PALETTE["red"]))
    more = f'fill="{colour}" font-size="17" text-anchor="middle"'
    side = f'fill="{colour}" text-anchor="{"start" if x < WIDE / 2 else "end"}"'
    return letters(x, y + 17, sign, more) + letters(x, y + 34, words, side)


def drawn_row(spans, y, x_of):
    """All spans of a process as SVG; steps have their numbers where there is room for them."""
    parts, free = [], 0.0
    for span in spans:
        x, words = x_of(span[1]), span[3]
        numbered = span[0] == "step" and bool(words) and x >= free
        if numbered:
            free = x + 8 * len(words) + 4
        parts.append(drawn(span, y, x_of, numbered))
    return parts


def waits_in_words(who, spans):
    """One process as a sentence."""
    waited = sum(end - begin for kind, begin, end, _ in spans if kind == "wait")
    steps = sum(kind == "step" for kind, *_ in spans)
    ends = [words for kind, _, _, words in spans if kind not in ("step", "wait", "start")]
    starts = sum(kind == "start" for kind, *_ in spans)
    more = f", started {starts} times" if starts > 1 else ""
    return f"{who} began {steps} steps and waited {waited:.1f} s{more}" + "".join(
        f", {end}" for end in ends
    )


def ended_at(span, moment, now):
    """A span that seems to last until now, of a process that was killed at this moment."""
    kind, begin, end, words = span
    return (kind, begin, moment, words) if end == now and begin <= moment else span


def process_picture(printed, marks=(), seconds=20.0):
    """The last `seconds` of some processes as SVG text.

    Args:
        printed: {process: all that it has printed}.
        marks: [(process, moment, words)], what was done to a process from outside.
        seconds: how much to show.
    """
    moments = [float(f) for text in printed.values() for f in re.findall(r"\d+\.\d+$", text, re.M)]
    now = max([*moments, *(moment for _, moment, _ in marks)], default=0.0)
    spans = {who: spans_of(text, now) for who, text in printed.items()}
    for who, moment, words in marks:
        if words == "killed":
            spans[who] = [ended_at(span, moment, now) for span in spans[who]]
        spans[who].append((words, moment, moment, words))
    first = max(
        now - seconds, min([b for some in spans.values() for _, b, _, _ in some], default=0)
    )
    scale = (WIDE - LEFT - 30) / max(0.5, now - first)

    def x_of(moment):
        return LEFT + (max(moment, first) - first) * scale

    parts = []
    for row, (who, some) in enumerate(spans.items()):
        y = TOP + ROW * row
        parts.append(letters(8, y + 15, who, 'font-weight="bold"'))
        parts += drawn_row([span for span in some if span[2] >= first], y, x_of)
    base = TOP + ROW * len(spans) + 12
    parts.append(letters(LEFT, base, "high bar: a step; low bar: a wait; ▶ start; ✗ an end"))
    parts.append(letters(WIDE - 8, base, f"{now - first:.1f} s", 'text-anchor="end"'))
    words = "; ".join(waits_in_words(who, some) for who, some in spans.items())
    hatch = (
        '<defs><pattern id="wait" width="5" height="5" patternUnits="userSpaceOnUse">'
        f'<path d="M0 5L5 0" stroke="{PALETTE["orange"]}"/></pattern></defs>'
    )
    size = f'viewBox="0 0 {WIDE} {base + 10}" style="max-width:{WIDE}px;width:100%"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{html.escape(words, quote=True)}" {size} '
        f'font-family="sans-serif" font-size="12"><rect width="{WIDE}" height="100%" fill="white"/>'
        f"{hatch}{''.join(parts)}</svg>"
    )


def draw_processes(printed, marks=(), seconds=20.0):
    """Show the picture, and say the same in words."""
    picture = process_picture(printed, marks, seconds)
    IPython.display.display(IPython.display.HTML(picture))
    words = picture.partition('aria-label="')[2].partition('"')[0]
    print(f"In words: {html.unescape(words)}.")
