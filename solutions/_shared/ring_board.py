# @title Board of a ring (run this; open it to see how it works)
"""Buttons that kill real workers of a ring, above a picture of what each has sent, waited for and done."""

import contextlib
import html
import json
import pathlib
import threading
import time

import IPython.display
import ipywidgets as widgets
from solutions._shared.cluster_processes import ClusterError
from solutions._shared.figures import PALETTE
from solutions._shared.process_times import letters
from solutions._shared.ring_survivors import ElasticJob, survives

WIDTH, ROW_HEIGHT, TEXT_END = 750, 46, 360  # of the picture and its parts, in pixels


def bar(y, share, words, colour, hatch):
    """A bar from the middle of the picture to the right, with words in front of it."""
    wide = max(1.0, share * (WIDTH - TEXT_END - 130))
    fill = 'url(#waiting)" stroke="' + colour if hatch else colour
    return (
        f'<rect x="{TEXT_END + 120}" y="{y}" width="{wide:.1f}" height="13" fill="{fill}"/>'
        + letters(TEXT_END + 114, y + 11, words, 'text-anchor="end"')
    )


def worker_in_words(task, now, state):
    """One worker as a sentence."""
    if not now:
        return f"{task}: {state}"
    share = now["waited"] / max(now["seconds"], 1e-9)
    return (
        f"{task}: {state}, generation {now['generation']}, rank {now['rank']} of {now['n']}, step {now['step']}, "
        f"{now['bytes'] / 1e6:.1f} MB sent, {share:.0%} of the time waiting"
    )


def board_picture(workers):
    """Workers as SVG text: a row each.

    Args:
        workers: list of (task, its last note: a dict or None, its state in a word).
    """
    most = max([1, *(now["bytes"] for _, now, _ in workers if now)])
    parts = []
    for row, (task, now, state) in enumerate(workers):
        y = 8 + ROW_HEIGHT * row
        colour = PALETTE["ink"] if state == "lives" else PALETTE["red"]
        sign = "▶" if state == "lives" else "✗"
        parts.append(letters(8, y + 16, task, 'font-weight="bold"'))
        parts.append(letters(84, y + 16, f"{sign} {state}", f'fill="{colour}"'))
        if now:
            ring = f"generation {now['generation']}, rank {now['rank']} of {now['n']}"
            parts.append(letters(160, y + 10, ring))
            parts.append(letters(160, y + 27, f"step {now['step']}"))
            share = now["waited"] / max(now["seconds"], 1e-9)
            sent = now["bytes"]
            parts.append(bar(y, sent / most, f"{sent / 1e6:.1f} MB sent", PALETTE["blue"], False))
            parts.append(bar(y + 17, share, f"{share:.0%} waiting", PALETTE["orange"], True))
    words = "; ".join(worker_in_words(*worker) for worker in workers)
    hatch = (
        '<defs><pattern id="waiting" width="5" height="5" patternUnits="userSpaceOnUse">'
        f'<path d="M0 5L5 0" stroke="{PALETTE["orange"]}"/></pattern></defs>'
    )
    size = f'viewBox="0 0 {WIDTH} {8 + ROW_HEIGHT * len(workers)}"'
    size += f' style="max-width:{WIDTH}px;width:100%"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{html.escape(words, quote=True)}" {size} '
        f'font-family="sans-serif" font-size="12"><rect width="{WIDTH}" height="100%" fill="white"/>'
        f"{hatch}{''.join(parts)}</svg>"
    )


class RingBoard:
    """A job of processes that train by `survive` until somebody ends them; fresh as long as one lives."""

    def __init__(self, survive, n=3, pause=0.1):
        self.survive, self.n, self.pause = survive, n, pause
        self.picture = widgets.HTML()
        self.said = widgets.HTML()
        self.watching = threading.Lock()
        self.job = ElasticJob(survive, n, 10**9, 10, pause)
        row = [self.button(f"kill {task}", self.kill, task) for task in self.job.tasks]
        more = [self.button("start all again", self.start), self.button("end all", self.end_all)]
        self.widget = widgets.VBox(
            [self.picture, widgets.HBox([*row, *more], layout={"flex_flow": "row wrap"}), self.said]
        )
        self.say("Press a button: it acts on a real process.")
        self.watch()

    def button(self, words, act, *arguments):
        button = widgets.Button(description=words, layout={"width": "140px"})
        button.on_click(lambda _: act(*arguments))
        return button

    def say(self, words):
        self.said.value = f"{time.strftime('%H:%M:%S')} {words}"

    def kill(self, task):
        """End one worker at once, without notice."""
        if self.state(self.job.cluster.state(task)) != "lives":
            self.say(f"{task} is dead. Start all again.")
            return
        self.job.cluster.kill(task)
        self.say(f"{task}: killed. The others notice it when their wait is over, after 4 seconds.")

    def start(self):
        """End those that still live, and start a new job."""
        self.job.cluster.close()
        self.job = ElasticJob(self.survive, self.n, 10**9, 10, self.pause)
        self.say("all start from the first weights.")
        self.watch()

    def end_all(self):
        """End all workers."""
        self.job.cluster.close()
        self.say("all have ended.")
        self.look()

    def state(self, words):
        return "dead" if words.startswith(("ended", "killed", "not started")) else "lives"

    def look(self):
        """Draw anew; whether a worker lives."""
        states = self.job.look()
        workers = []
        for task in self.job.tasks:
            note = pathlib.Path(self.job.folder, f"now-{task[-1]}.json")
            now = json.loads(note.read_text()) if note.exists() else None
            workers.append((task, now, self.state(states[task])))
        self.picture.value = board_picture(workers)
        return any(state == "lives" for _, _, state in workers)

    def watch(self):
        """Look again and again, in a thread, until none lives."""
        threading.Thread(target=self.keep_looking, daemon=True).start()

    def keep_looking(self):
        if self.watching.acquire(blocking=False):  # else another thread looks already
            try:
                with contextlib.suppress(ClusterError):  # the kernel ends, or the helpers run anew
                    while self.look():
                        time.sleep(0.3)
            finally:
                self.watching.release()


def ring_board(survive):
    """Show the board of three workers; where `survive` does not survive in threads, say so. The board, or None."""
    if not survives(survive):
        print("Threads do not survive by it yet: the checks of the exercise say more.")
        return None
    board = RingBoard(survive)
    IPython.display.display(board.widget)
    return board
