# @title Parameter store (run this; open it to see how it works)
"""What a parameter server does for exercise 5: it keeps values; and closures that die at any moment."""

import json
import pickle


class Death(BaseException):
    """A worker dies here. No `except Exception` in its closure sees it."""


def as_text(name):
    """A name as a text: NumPy's numbers like Python's."""
    return json.dumps(
        name, default=lambda part: part.item() if hasattr(part, "item") else repr(part)
    )


class ParameterStore:
    """Named values. Each `read` and each `write` is one operation: done, or not done.

    `moment` is called just before and just after each operation. A value travels, as to another process: what is
    read is a copy of what was written, and a name is kept by its text.
    """

    __slots__ = ("__moment", "__values")  # nobody can hang anything else on a store

    def __init__(self, written=(), moment=None):
        # with two underscores: closures have read and write, and no other way
        self.__values = dict(written)
        self.__moment = moment or (lambda: None)

    def read(self, name):
        """The value written last, or None."""
        self.__moment()
        kept = self.__values.get(as_text(name))
        self.__moment()
        return None if kept is None else pickle.loads(kept)

    def write(self, name, value):
        """Keep a value under a name."""
        try:
            sent = pickle.dumps(value)
        except Exception as error:
            raise TypeError(
                f"a value travels to another process, and this one cannot: {error}"
            ) from error
        self.__moment()
        self.__values[as_text(name)] = sent
        self.__moment()

    def restarted(self):
        """A store with what was written, and with nothing else that closures may know this one by."""
        return ParameterStore(self.__values)


class Moments:
    """Counts moments from 0, and calls `event` in the moment `at`."""

    def __init__(self, at, event):
        self.at, self.event, self.now = at, event, 0

    def __call__(self):
        now = self.now
        self.now += 1
        if now == self.at:
            self.event()


def run_closures(closure, values, what, at):
    """Run closure number 0, 1 … with its value; in moment `at` of the first one, `what` happens.

    "death": the first one dies, the others run, then the first one runs again. "visit": the others run in
    that moment, and the first one goes on. "nothing": they run one after the other.
    Returns the store, restarted, and whether the first one has such a moment.
    """

    def die():
        raise Death

    def others():
        moments.at = None
        for number in range(1, len(values)):
            closure(store, number, values[number])

    moments = Moments(None if what == "nothing" else at, others if what == "visit" else die)
    store = ParameterStore(moment=moments)
    try:
        closure(store, 0, values[0])
    except Death:
        others()
        closure(store, 0, values[0])
        return store.restarted(), True
    happened = what != "nothing" and moments.at is None
    if not happened:
        others()
    return store.restarted(), happened


def at_each_moment(closure, total, values, what):
    """What `total` says of all closures, once for each moment in which `what` can happen."""
    numbers = list(range(len(values)))
    found, stores = [], []  # all are kept, so that no two have the same id
    for at in range(200):
        store, happened = run_closures(closure, values, what, at)
        if not happened:
            break
        stores.append(store)
        found.append(total(store, numbers))
    return found
