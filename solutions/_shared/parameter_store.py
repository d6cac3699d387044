# @title Parameter store (run this; open it to see how it works)
"""What a parameter server does for exercise 5: it keeps values; and closures that die at any moment."""


class Death(BaseException):
    """A worker dies here. No `except Exception` in its closure sees it."""


class ParameterStore:
    """Named values. Each `read` and each `write` is one operation: done, or not done.

    Just before and just after each operation is a moment, counted from 0. In the moment `at`, `event` is called.
    """

    def __init__(self, written=()):
        # with two underscores: closures have read and write, and no other way
        self.__values = dict(written)
        self.moments = 0
        self.at, self.event = None, die

    def read(self, name):
        """The value written last, or None."""
        self.moment()
        value = self.__values.get(name)
        self.moment()
        return value

    def write(self, name, value):
        """Keep a value under a name."""
        self.moment()
        self.__values[name] = value
        self.moment()

    def restarted(self):
        """A store with what was written, and with nothing else that closures may know this one by."""
        return ParameterStore(self.__values)

    def moment(self):
        now = self.moments
        self.moments += 1
        if now == self.at:
            self.event()


def die():
    raise Death


def run_closures(closure, values, what, at):
    """Run closure number 0, 1 … with its value; in moment `at` of the first one, `what` happens.

    "death": the first one dies, the others run, then the first one runs again. "visit": the others run in
    that moment, and the first one goes on. "nothing": they run one after the other.
    Returns the store, restarted, and whether the first one has such a moment.
    """
    store = ParameterStore()
    numbers = range(len(values))

    def others():
        store.at = None
        for number in numbers[1:]:
            closure(store, number, values[number])

    store.at = None if what == "nothing" else at
    store.event = others if what == "visit" else die
    try:
        closure(store, 0, values[0])
    except Death:
        others()
        closure(store, 0, values[0])
        return store.restarted(), True
    happened = what != "nothing" and store.at is None
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
