"""GPU evidence is shown only where it was truly recorded."""

from __future__ import annotations

import importlib.util
import json
import re
import sys

import pytest

from autograder.authoring.source import NO_GPU_RECORD, embed_records
from autograder.paths import Course
from tests.conftest import ROOT

SPECIFICATION = importlib.util.spec_from_file_location("record_gpu", ROOT / "assets" / "record_gpu.py")


@pytest.fixture(scope="module")
def recorder():
    assert SPECIFICATION
    module = importlib.util.module_from_spec(SPECIFICATION)
    sys.modules[SPECIFICATION.name] = module  # dataclasses look there
    SPECIFICATION.loader.exec_module(module)
    return module


def test_without_a_record_the_lesson_says_so(tmp_path):
    text = embed_records(Course(tmp_path), "Before\n\n{{gpu record: placement}}\n\nAfter {{gpu record: x}} in a line")
    assert text == f"Before\n\n{NO_GPU_RECORD}\n\nAfter {{{{gpu record: x}}}} in a line"


def test_a_record_is_shown_with_its_machine(tmp_path):
    machine = {
        "date": "2026-01-02",
        "cards": ["A card, 1 MiB, 5"],
        "tensorflow": "2.21.0",
        "cuda": "12",
        "python": "3.11",
    }
    experiments = {
        "placement": {"title": "the log", "lines": ["a: (MatMul): GPU:0", "[[1]]"]},
        "again": {"title": "twice", "lines": ["[[2]]"]},
    }
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "gpu_record.json").write_text(json.dumps({"machine": machine, "experiments": experiments}))
    text = embed_records(Course(tmp_path), "{{gpu record: placement}}\n{{gpu record: other}}")
    assert "2026-01-02" in text and "A card, 1 MiB, 5" in text and "```text\na: (MatMul): GPU:0\n[[1]]\n```" in text
    assert text.endswith(NO_GPU_RECORD)
    both = embed_records(Course(tmp_path), "{{gpu record: placement | again}}")
    assert both.count("Recorded on") == 1
    assert "```text\n--- the log\na: (MatMul): GPU:0\n[[1]]\n--- twice\n[[2]]\n```" in both


def test_no_lesson_shows_a_placeholder(course):
    for lesson in course.lessons():
        shown = embed_records(course, course.source(lesson).read_text(encoding="utf-8").replace("# {{", "{{"))
        assert NO_GPU_RECORD not in shown, lesson


def test_every_record_that_a_lesson_shows_can_be_made(recorder, course):
    sources = [course.source(lesson).read_text(encoding="utf-8") for lesson in course.lessons()]
    shown = {name for text in sources for name in re.findall(r"\{\{gpu record: ([^}]+)\}\}", text)}
    shown = {name for names in shown for name in names.split(" | ")}
    assert shown <= {experiment.name for experiment in recorder.EXPERIMENTS}


def test_without_a_gpu_nothing_is_recorded(recorder, monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(recorder, "RECORD", tmp_path / "gpu_record.json")
    monkeypatch.setattr(recorder, "about", lambda: {"gpus seen by tensorflow": 0})
    assert recorder.main([]) == 2
    assert "sees no GPU" in capsys.readouterr().err and not recorder.RECORD.exists()


def test_a_failed_experiment_is_not_recorded(recorder, monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(recorder, "RECORD", tmp_path / "gpu_record.json")
    monkeypatch.setattr(recorder, "about", lambda: {"gpus seen by tensorflow": 1, "date": "2026-01-01"})
    broken = recorder.Experiment("broken", "01", "a fault", "print('before'); 1 / 0")
    two_cards = recorder.Experiment("two", "02", "needs two cards", "print('never')", cards=2)
    monkeypatch.setattr(recorder, "EXPERIMENTS", [broken, two_cards])
    assert recorder.main([]) == 1
    words = capsys.readouterr().err
    assert "'broken' failed and was not recorded" in words and "ZeroDivisionError" in words and "never" not in words
    assert not recorder.RECORD.exists()
    monkeypatch.setattr(
        recorder,
        "EXPERIMENTS",
        [two_cards, recorder.Experiment("fine", "01", "it", "print('a')\nprint('b')", only=("b",))],
    )
    assert recorder.main([]) == 0
    assert json.loads(recorder.RECORD.read_text())["experiments"]["fine"]["lines"] == ["b"]


def test_a_later_run_adds_to_a_record_of_the_same_machine(recorder, monkeypatch, tmp_path):
    monkeypatch.setattr(recorder, "RECORD", tmp_path / "gpu_record.json")
    some = [recorder.Experiment(name, "01", "it", f"print({name!r})") for name in ("a", "b")]
    monkeypatch.setattr(recorder, "EXPERIMENTS", some)
    machine = {"cards": ["one"], "tensorflow": "2.21.0", "gpus seen by tensorflow": 1, "date": "2026-01-01"}
    monkeypatch.setattr(recorder, "about", lambda: machine)

    def kept() -> list[str]:
        return list(json.loads(recorder.RECORD.read_text())["experiments"])

    assert recorder.main(["a"]) == 0 and kept() == ["a"]
    assert recorder.main(["b"]) == 0 and kept() == ["a", "b"]
    machine["cards"] = ["another"]
    assert recorder.main(["b"]) == 2 and kept() == ["a", "b"]


def test_a_dry_run_prints_what_this_machine_shows(recorder, monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(recorder, "RECORD", tmp_path / "gpu_record.json")
    assert recorder.main(["--dry-run", "placement"]) == 0
    found = json.loads(capsys.readouterr().out)["experiments"]["placement"]
    assert found["status"] == 0 and any("product: (MatMul)" in line for line in found["lines"]), found
    assert found["lines"][-1] == "[[22.0, 28.0], [49.0, 64.0]]" and not recorder.RECORD.exists()
