# @title Masks over a host (run this; open it to see how it works)
"""Choose each process's mask, entry by entry, and TensorFlow's own list behind it; the picture
follows at once.
"""

from itertools import takewhile

import ipywidgets as widgets
from solutions._shared.host_picture import draw_host

HOST = ["card 0", "card 1", "card 2"]
# no value is None: a Dropdown would show nothing for it
ENTRIES = [("-", "end"), ("0", 0), ("1", 1), ("2", 2), ("7 (no such card)", 7), ("-1", -1)]
FIRST = [("not set", "unset"), ("empty", "empty"), *ENTRIES[1:]]
LISTS = ["all", "0", "1", "1,0"]


class TwiceNamed(Exception):
    """A mask names a card twice: nobody documents what the driver makes of it."""


def cards_behind(entries):
    """Numbers of the cards that the driver shows; `entries` are the mask's numbers, None if
    there is no mask.

    Raises TwiceNamed where the documented rules say nothing.
    """
    if entries is None:
        return list(range(len(HOST)))
    mine = list(takewhile(lambda entry: 0 <= entry < len(HOST), entries))
    if len(set(mine)) < len(mine):
        raise TwiceNamed
    return mine


def cards_of(entries, chosen):
    """The cards of one process, /gpu:0 first; None where TensorFlow refuses its list."""
    mine = cards_behind(entries)
    if chosen == "all" or not mine:
        return [HOST[card] for card in mine]
    wanted = [int(entry) for entry in chosen.split(",")]
    if not set(wanted) <= set(range(len(mine))):
        return None
    return [HOST[mine[i]] for i in wanted]


def entries_of(first, *others):
    """What three boxes say, as cards_behind wants it; the first "-" ends the mask."""
    if first == "unset":
        return None
    if first == "empty":
        return []
    return [first, *takewhile(lambda entry: entry != "end", others)]


def command_of(entries, name):
    """The command as you type it in a shell."""
    mask = "" if entries is None else f"CUDA_VISIBLE_DEVICES={','.join(map(str, entries))} "
    return f"$ {mask}python {name}"


def box(options, text, value, width, before):
    """One box to choose from; `before` is the room for its text."""
    style = {"description_width": before}
    layout = {"width": width}
    return widgets.Dropdown(
        options=options, description=text, value=value, layout=layout, style=style
    )


def boxes_of(number, name):
    """The boxes of one process: three entries of its mask, and the list."""
    first = box(FIRST, f"{name}: mask", number, "215px", "75px")
    others = [box(ENTRIES, ",", "end", "130px", "10px") for _ in range(2)]
    return [first, *others, box(LISTS, "TensorFlow's list", "all", "195px", "110px")]


def show_choices(rows):
    """Print the commands, say which end badly, and draw the rest."""
    seen = {}
    notes = []
    for name, boxes in rows.items():
        entries = entries_of(*(each.value for each in boxes[:3]))
        print(command_of(entries, name))
        try:
            mine = cards_of(entries, boxes[3].value)
        except TwiceNamed:
            notes.append(f"{name} names a card twice; no rule says what it sees. Do not do that.")
            mine = []
        if mine is None:
            what = "TensorFlow's list names a device that its mask does not show"
            notes.append(f"{name} ends with an error: {what}.")
        seen[name] = mine or []
    for note in notes:
        print(note)
    draw_host(seen, HOST)


def mask_the_host(processes=("a.py", "b.py", "c.py")):
    """Show the widget. Nothing that it makes is used anywhere else."""
    rows = {name: boxes_of(number, name) for number, name in enumerate(processes)}
    shown = widgets.Output()

    def follow(_=None):
        shown.clear_output(wait=True)
        with shown:
            show_choices(rows)

    for boxes in rows.values():
        for each in boxes:
            each.observe(follow, "value")
    follow()
    return widgets.VBox([*map(widgets.HBox, rows.values()), shown])
