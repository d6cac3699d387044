"""Lesson 02's program that asks the CUDA driver, look.py: what it prints without a driver, and with one."""

from __future__ import annotations

import ctypes
import json
import re
import subprocess
import sys

import pytest

from autograder.authoring.source import read_cells
from autograder.paths import Course


class Driver:
    """Answers as libcuda does, for the cards [(name, PCI bus id), ...]; ``status`` is what cuInit returns."""

    def __init__(self, cards, status=0):
        self.cards, self.status, self.number = cards, status, None

    def cuInit(self, flags):
        return self.status

    def cuDeviceGetCount(self, count):
        count._obj.value = len(self.cards)
        return 0

    def cuDeviceGet(self, device, number):
        device._obj.value = 70 + number  # a handle is not the number
        return 0

    def cuDeviceGetName(self, text, length, device):
        return self.answer(text, length, self.cards[device.value - 70][0])

    def cuDeviceGetPCIBusId(self, text, length, device):
        return self.answer(text, length, self.cards[device.value - 70][1])

    @staticmethod
    def answer(text, length, value):
        assert len(value) < length
        text.value = value.encode()
        return 0


@pytest.fixture(scope="module")
def program(course: Course) -> str:
    cells = [cell.text for cell in read_cells(course, course.lesson("02"))]
    parts = [text.partition("\n") for text in cells if re.match(r"%%writefile (-a )?look.py\n", text)]
    return "\n".join(body for _, _, body in parts)


@pytest.fixture
def report(program, monkeypatch, capsys):
    """``report(driver)``: what the program prints where loading the driver's library gives ``driver``."""

    def run(driver):
        def load(name):
            if isinstance(driver, OSError):
                raise driver
            return driver

        monkeypatch.setattr(ctypes, "CDLL", load)
        monkeypatch.setattr(sys, "argv", ["-c", "--job_name=ps"])
        exec(program, {})
        return json.loads(capsys.readouterr().out)

    return run


def test_without_a_driver_it_says_so(report, monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "1")
    assert report(OSError("no libcuda")) == {"arguments": ["--job_name=ps"], "mask": "1", "cards": "no driver"}


def test_cards_come_in_the_drivers_order(report, monkeypatch):
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    cards = [["Large", "0000:41:00.0"], ["Small", "0000:03:00.0"]]
    assert report(Driver(cards)) == {"arguments": ["--job_name=ps"], "mask": None, "cards": cards}


def test_a_driver_that_shows_no_card_gives_an_empty_list(report):
    assert report(Driver([], status=100))["cards"] == []  # CUDA_ERROR_NO_DEVICE
    assert report(Driver([]))["cards"] == []


def test_it_runs_as_a_process(program, monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "-1")
    done = subprocess.run([sys.executable, "-c", program, "a", "b"], capture_output=True, text=True, timeout=60)
    answer = json.loads(done.stdout)
    assert (done.stderr, answer["arguments"], answer["mask"]) == ("", ["a", "b"], "-1")
    assert answer["cards"] in ("no driver", [])  # with a driver, this mask hides every card
