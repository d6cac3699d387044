"""The shared cell with a store of values and closures that die: what a closure can do to what measures it."""

from __future__ import annotations

from solutions._shared.parameter_store import ParameterStore, at_each_moment


def close(store, number, value):
    store.write(f"of {number}", value)


def total(store, numbers):
    return sum(store.read(f"of {number}") for number in numbers)


def adds(store, number, value):
    store.write("sum", (store.read("sum") or 0) + value)


def test_what_a_closure_writes_once_is_there_whatever_happens_between():
    for what in ("nothing", "death", "visit"):
        found = at_each_moment(close, total, [2, 3, 4], what)
        assert found == [9] * (0 if what == "nothing" else 2), what


def test_what_counts_twice_is_found_in_some_moment():
    def read(store, numbers):
        return store.read("sum")

    assert at_each_moment(adds, read, [2, 3], "death") == [5, 5, 5, 7]
    assert set(at_each_moment(adds, read, [2, 3], "visit")) == {5, 2}


def test_a_closure_gets_an_object_that_can_do_nothing_but_read_and_write():
    found = {name for name in dir(ParameterStore()) if not name.startswith("_")}
    assert found == {"read", "write", "restarted"}
