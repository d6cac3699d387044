"""The shared cell that collects what C++ prints past Python."""

from __future__ import annotations

import ctypes
import os

import pytest

from autograder.paths import Course

from .shared_cells import run_cells


@pytest.fixture(scope="module")
def native_output(course: Course):
    return run_cells(course, "native_output")["native_output"]


def test_both_descriptors_are_collected_and_given_back(native_output, capfd):
    with native_output() as log:
        os.write(1, b"one\n")
        os.write(2, b"two\n")
    os.write(1, b"three\n")
    assert log.text == "one\ntwo\n"
    assert capfd.readouterr() == ("three\n", "")


def test_what_the_c_library_still_holds_is_in_the_right_place(native_output, capfd):
    libc = ctypes.CDLL(None)
    libc.printf(b"before\n")
    with native_output() as log:
        libc.printf(b"inside\n")
    libc.printf(b"after\n")
    libc.fflush(None)
    assert log.text == "inside\n"
    assert capfd.readouterr().out == "before\nafter\n"


def test_an_error_leaves_the_descriptors_as_they_were(native_output, capfd):
    with pytest.raises(ZeroDivisionError), native_output() as log:
        os.write(2, b"half\n")
        raise ZeroDivisionError
    os.write(2, b"whole\n")
    assert log.text == "half\n" and capfd.readouterr().err == "whole\n"


def test_it_leaves_no_descriptor_open(native_output):
    before = os.dup(1)
    os.close(before)
    for _ in range(3):
        with native_output():
            pass
    after = os.dup(1)
    os.close(after)
    assert before == after
