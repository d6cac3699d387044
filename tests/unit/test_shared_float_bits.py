"""The shared cells that show a number's bits, as a picture and as a widget."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from autograder.paths import Course

from .shared_cells import run_cells


@pytest.fixture(scope="module")
def cells(course: Course) -> SimpleNamespace:
    return SimpleNamespace(**run_cells(course, "figures", "float_bits", "float_widget"))


@pytest.fixture
def shown(cells, monkeypatch):
    """``(figure, words)`` of the pictures that the cells show; none is one of pyplot's, which threads share."""
    pictures: list = []
    before = cells.plt.get_fignums()
    monkeypatch.setitem(cells.draw_bits.__globals__, "show", lambda figure, words: pictures.append((figure, words)))
    yield pictures
    assert cells.plt.get_fignums() == before


@pytest.mark.parametrize(
    ("x", "name", "bits"),
    [
        (1.0, "float16", "0" + "01111" + "0" * 10),
        (-2.0, "bfloat16", "1" + "10000000" + "0" * 7),
        (3.14159265, "float16", "0100001001001000"),
        (0.0, "float32", "0" * 32),
        (1e9, "float16", "0" + "11111" + "0" * 10),
        (1.5, "float64", "0" + "0" + "1" * 10 + "1" + "0" * 51),
    ],
)
def test_bits_and_back(cells, x, name, bits):
    assert cells.bits_of(x, name) == bits
    value = cells.value_of(bits, name)
    assert float(value) == (x if x < 1e9 else float("inf")) or abs(float(value) - x) < 0.001


def test_words_say_value_step_and_range(cells):
    lines = cells.in_words("0100001001001000", "float16").splitlines()
    assert lines[0].startswith("value: 3.140625")
    assert lines[1] == "distance to the next value away from zero: 0.00195"
    assert "largest 65504" in lines[2] and "above zero 5.96e-8" in lines[2]


@pytest.mark.parametrize("bits", ["0111110000000000", "0111110000000001", "1111111111111111"])
def test_what_is_no_number_has_no_next_value(cells, bits):
    text = cells.in_words(bits, "float16")
    assert "next" not in text
    assert "Infinity" in text or "NaN" in text


def test_the_largest_value_has_no_next_one_and_subnormals_are_named(cells):
    assert "next" not in cells.in_words("0111101111111111", "float16")
    assert "subnormal" in cells.in_words("0000000000000001", "float16").splitlines()[0]
    assert "subnormal" not in cells.in_words("0" * 16, "float16").splitlines()[0]


@pytest.mark.parametrize("name", ["float16", "bfloat16", "float32", "float64"])
def test_a_picture_shows_every_bit_and_field(cells, shown, name):
    bits = cells.bits_of(0.1, name)
    cells.draw_bits(bits, name)
    [(figure, words)] = shown
    assert words.startswith(f"{name}: sign 0, exponent ") and words.endswith(bits[-7:])
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert "".join(text for text in texts if text in "01") == bits
    assert [text for text in texts if text not in "01"] == ["s", "exponent", "mantissa"]


def test_a_click_flips_a_bit(cells, shown, capsys):
    page = cells.flip_bits()
    row = page.children[1]
    capsys.readouterr()
    row.children[0].click()
    assert "".join(button.description for button in row.children) == "1100001001001000"
    assert "value: -3.140625" in capsys.readouterr().out
    row.children[0].click()
    assert "value: 3.140625" in capsys.readouterr().out


def test_another_format_or_number_stores_anew(cells, shown, capsys):
    page = cells.flip_bits()
    number, name = page.children[0].children
    name.value = "float32"
    assert len(page.children[1].children) == 32
    number.value = 1.0
    assert "".join(button.description for button in page.children[1].children) == "0" + "0" + "1" * 7 + "0" * 23
    assert "value: 1\n" in capsys.readouterr().out
