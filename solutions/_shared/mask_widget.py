#@title Masks over a host (run this; open it to see how it works)
# Choose each process's mask, entry by entry, and TensorFlow's own list behind it; the picture follows at once.
from itertools import takewhile
import ipywidgets as widgets
from solutions._shared.host_picture import draw_host

HOST = ["card 0", "card 1", "card 2"]
# no value is None: a Dropdown would show nothing for it
ENTRIES = [("-", "end"), ("0", 0), ("1", 1), ("2", 2), ("7 (no such card)", 7), ("-1", -1)]
FIRST = [("not set", "unset"), ("empty", "empty"), *ENTRIES[1:]]
LISTS = ["all", "0", "1", "1,0"]

def cards_behind(entries):
    """Numbers of the cards that the driver shows; `entries` are the mask's numbers, None if there is no mask."""
    if entries is None:
        return list(range(len(HOST)))
    mine = list(takewhile(lambda entry: 0 <= entry < len(HOST), entries))
    return mine if len(set(mine)) == len(mine) else []  # a card that is named twice hides all

def cards_of(entries, chosen):
    """The cards of one process, /gpu:0 first; None where TensorFlow refuses its list."""
    mine = cards_behind(entries)
    wanted = range(len(mine)) if chosen == "all" or not mine else [int(entry) for entry in chosen.split(",")]
    return [HOST[mine[i]] for i in wanted] if set(wanted) <= set(range(len(mine))) else None

def entries_of(first, *others):
    """What three boxes say, as cards_behind wants it; the first "-" ends the mask."""
    if first in ("unset", "empty"):
        return None if first == "unset" else []
    return [first, *takewhile(lambda entry: entry != "end", others)]

def command_of(entries, name):
    """The command as you type it in a shell."""
    mask = "" if entries is None else f"CUDA_VISIBLE_DEVICES={','.join(map(str, entries))} "
    return f"$ {mask}python {name}"

def mask_the_host(processes=("a.py", "b.py", "c.py")):
    """Show the widget. Nothing that it makes is used anywhere else."""
    def box(options, text, value, width, before):
        style = {"description_width": before}
        return widgets.Dropdown(options=options, description=text, value=value, layout={"width": width}, style=style)

    rows, shown = {}, widgets.Output()
    for k, name in enumerate(processes):
        mask = [box(FIRST, f"{name}: mask", k, "215px", "75px"), *(box(ENTRIES, ",", "end", "130px", "10px") for _ in range(2))]
        rows[name] = [*mask, box(LISTS, "TensorFlow's list", "all", "195px", "110px")]

    def show(_=None):
        chosen = {name: (entries_of(*(b.value for b in boxes[:3])), boxes[3].value) for name, boxes in rows.items()}
        seen = {name: cards_of(*choice) for name, choice in chosen.items()}
        shown.clear_output(wait=True)
        with shown:
            print("\n".join(command_of(entries, name) for name, (entries, _) in chosen.items()))
            for name in [name for name, mine in seen.items() if mine is None]:
                print(f"{name} ends with an error: TensorFlow's list names a device that its mask does not show.")
            draw_host({name: mine or [] for name, mine in seen.items()}, HOST)

    for b in sum(rows.values(), []):
        b.observe(show, "value")
    show()
    return widgets.VBox([*map(widgets.HBox, rows.values()), shown])
