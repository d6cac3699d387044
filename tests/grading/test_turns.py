"""Turns are taken in order, by so many at once, and never lost."""

from __future__ import annotations

import threading

from autograder.grading.turns import Turns

SOON, LONG = 0.05, 10.0


def test_turns_are_taken_in_order_and_given_back():
    turns = Turns(1)
    first, second, third = (turns.next() for _ in range(3))
    assert not second.take(SOON), "the first has not had its turn yet"
    assert first.take(LONG) and first.take(LONG), "one that has it keeps it"
    assert not second.take(SOON)
    waiting = threading.Thread(target=second.take, args=(LONG,))
    waiting.start()
    first.give_back()
    waiting.join(LONG)
    assert not waiting.is_alive() and not third.take(SOON)
    second.give_back()
    assert third.take(SOON)


def test_a_slot_is_left_for_each_one_before():
    turns = Turns(2)
    slow, quick, next_one = (turns.next() for _ in range(3))
    assert quick.take(SOON) and not next_one.take(SOON)
    assert slow.take(SOON)


def test_one_that_never_took_its_turn_holds_up_nobody():
    turns = Turns(1)
    first, second = turns.next(), turns.next()
    first.give_back()
    first.give_back()
    assert second.take(SOON)
    second.give_back()
    assert turns.free == 1 and not turns.waiting


def test_one_that_runs_once_more_goes_first():
    turns = Turns(1)
    first, second = turns.next(), turns.next()
    assert first.take(SOON)
    first.give_back()
    assert first.take(SOON) and not second.take(SOON)
