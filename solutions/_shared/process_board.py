# @title Process board (run this; open it to see how it works)
"""Buttons that freeze, thaw, kill and restart real workers, above the picture of every process over time."""

import contextlib
import threading
import time

import IPython.display
import ipywidgets as widgets
from solutions._shared.cluster_processes import ClusterError
from solutions._shared.process_times import process_picture


class ProcessBoard:
    """The board of a LocalCluster whose workers print their steps; fresh as long as one of them lives."""

    def __init__(self, workers):
        self.workers = workers
        self.marks = []
        self.frozen = set()
        self.picture = widgets.HTML()
        self.said = widgets.HTML("Press a button: it acts on a real process.")
        self.watching = threading.Lock()
        rows = [self.buttons(word) for word in ("freeze", "thaw", "kill")]
        again = widgets.Button(description="start all again", layout={"width": "150px"})
        again.on_click(lambda _: self.start_again())
        end = widgets.Button(description="end all", layout={"width": "150px"})
        end.on_click(lambda _: self.end_all())
        self.widget = widgets.VBox([self.picture, *rows, widgets.HBox([again, end]), self.said])
        self.look()
        self.watch()

    def buttons(self, word):
        """A row of buttons, one for each worker."""
        row = []
        for task in self.workers.tasks:
            button = widgets.Button(description=f"{word} {task}", layout={"width": "150px"})
            button.on_click(lambda _, task=task: self.pressed(word, task))
            row.append(button)
        return widgets.HBox(row, layout={"flex_flow": "row wrap"})

    def lives(self, task):
        return not self.workers.state(task).startswith(("ended", "killed", "not"))

    def pressed(self, word, task):
        """Do `word` to a worker, and note the moment."""
        done = {"freeze": "frozen", "thaw": "thawed", "kill": "killed"}[word]
        if not self.lives(task):
            self.said.value = f"{task} has ended. Start all again."
            return
        if (word == "freeze") == (task in self.frozen) and word != "kill":
            self.said.value = f"{task} is {'' if word == 'freeze' else 'not '}frozen."
            return
        getattr(self.workers, word)(task)
        (self.frozen.add if word == "freeze" else self.frozen.discard)(task)
        self.marks.append((task, time.time(), done))
        self.said.value = f"{time.strftime('%H:%M:%S')} {task}: {done}."
        self.look()
        self.watch()

    def start_again(self):
        """What a supervisor does: end those that still live, and start all."""
        self.end_all()
        self.workers.start(*self.workers.tasks, wait=False)
        self.said.value = f"{time.strftime('%H:%M:%S')} all start from the newest checkpoint."
        self.watch()

    def end_all(self):
        living = [task for task in self.workers.tasks if self.lives(task)]
        self.workers.kill(*living)
        self.marks += [(task, time.time(), "killed") for task in living]
        self.frozen.clear()
        self.said.value = f"{time.strftime('%H:%M:%S')} all have ended."
        self.look()

    def look(self):
        """Draw anew; whether a worker lives."""
        printed = {task: self.printed(task) for task in self.workers.tasks}
        self.picture.value = process_picture(printed, self.marks)
        return any(self.lives(task) for task in self.workers.tasks)

    def printed(self, task):
        try:
            return self.workers.printed(task)
        except FileNotFoundError:  # it has only been asked to start
            return ""

    def watch(self):
        """Look again and again, in a thread, until none lives."""
        threading.Thread(target=self.keep_looking, daemon=True).start()

    def keep_looking(self):
        if self.watching.acquire(blocking=False):  # else another thread looks already
            try:
                with contextlib.suppress(ClusterError):  # the kernel ends, or the helpers run anew
                    while self.look():
                        time.sleep(0.4)
            finally:
                self.watching.release()


def process_board(workers):
    """Show the board of these workers."""
    IPython.display.display(ProcessBoard(workers).widget)
