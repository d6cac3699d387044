"""What a learner writes, where a person reads it: nothing that moves, hides or turns the text around it."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.grading.text import clean

HARMLESS = ["", "plain", "two\nlines\tand a tab", "Żółć", "日本語", "עברית", "العربية", "🙂", "−2 °C", "a\xa0b"]
NOT_SHOWN = {
    "escape": "\x1b[2J",
    "return": "\r",
    "backspace": "\b",
    "C1 control sequence": "\x9b31m",
    "next line": "\x85",
    "line separator": "\u2028",
    "paragraph separator": "\u2029",
    "right-to-left override": "\u202e",
    "left-to-right embedding": "\u202a",
    "isolate": "\u2066",
    "end of isolate": "\u2069",
    "marks": "\u200e\u200f\u061c",
    "zero-width space": "\u200b",
    "joiners": "\u200c\u200d\u2060",
    "byte order mark": "\ufeff",
    "soft hyphen": "\xad",
    "tags": "\U000e0041",
    "half of a pair": "\udcff",
}


@pytest.mark.parametrize("text", HARMLESS)
def test_text_of_all_languages_stays_as_it_is(text):
    assert clean(text) == text


@pytest.mark.parametrize("name", NOT_SHOWN)
def test_what_is_not_what_it_shows_is_replaced(name):
    shown = clean(f"a{NOT_SHOWN[name]}b")
    assert NOT_SHOWN[name][0] not in shown and shown.startswith("a�") and shown.endswith("b")


@given(st.text(st.characters()))
def test_nothing_that_controls_is_left(text):
    kinds = {unicodedata.category(letter) for letter in clean(text) if letter not in "\n\t"}
    assert not kinds & {"Cc", "Cs", "Zl", "Zp"} and not {unicodedata.bidirectional(c) for c in clean(text)} & {
        *("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
    }


@pytest.mark.parametrize("value", [None, 1, b"bytes", ["text"]])
def test_what_is_no_text_is_none(value):
    assert clean(value) == ""
