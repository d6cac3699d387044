"""What is read of Python's code is the same for each Python that grades."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from autograder import python_code
from autograder.authoring.test_colab import colab_python
from tests.conftest import ROOT
from tests.pace import Stopwatch

READ = """\
import importlib.util, json, sys
spec = importlib.util.spec_from_file_location("python_code", sys.argv[1])
code = importlib.util.module_from_spec(spec)
spec.loader.exec_module(code)
ways = (code.defined_names, code.free_names, code.taken_names, code.names_from_elsewhere, code.names_read)
print(json.dumps([sorted(way(sys.argv[2])) for way in ways]))
"""
CASES = {
    "total = [x for x in data]": [["total"], ["data"], ["data"], ["data"], ["data"]],
    "{key: value for key, value in pairs}": [[], ["pairs"], ["pairs"], ["pairs"], ["pairs"]],
    "{z for z in data if (last := z)}": [["last"], ["data"], ["data"], ["data"], ["data"]],
    "def f():\n    return [_ for _ in _]": [["f"], ["_"], ["_"], ["_"], ["_"]],
    "class A:\n    b = [c for c in range(3)]": [["A"], [], [], ["range"], ["range"]],
    "[a for b in c for a in b]\na = b": [["a"], ["b", "c"], ["b", "c"], ["b", "c"], ["b", "c"]],
    "text = '\\d'": [["text"], [], [], [], []],
}


@pytest.mark.parametrize("code", CASES)
@pytest.mark.parametrize("python", ["this one", "the newest one"])
def test_names_are_the_same_in_each_python_and_nothing_is_printed(code, python):
    """Since 3.12 tables of names have a comprehension's among others; and newer ones warn of a text's backslashes."""
    interpreter = sys.executable if python == "this one" else colab_python()[0]
    command = [interpreter, "-W", "always", "-c", READ, str(Path(python_code.__file__)), code]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.stderr == "" and json.loads(done.stdout) == CASES[code]


def test_which_names_a_text_gives_before_it_reads_them_is_found_in_one_pass():
    code = "used + 1\nused = 2\nown = late\nlate = own\n"
    assert python_code.bound_first(code, {"used", "own", "late", "other"}) == {"own"}
    names = {f"n{number}" for number in range(300)}
    long = "1\n" * 3000 + "\n".join(f"{name} = {name}" for name in names)
    watch = Stopwatch()
    assert not python_code.bound_first(long, names)
    assert watch.seconds() < 5


LESSONS = "import os\nrows = []\nSTART = 100\ndef helper(x):\n    return x\nwith START as file:\n    text = file\n"


@pytest.mark.parametrize(
    ("changed", "names"),
    [
        (LESSONS + "print(rows)", set()),
        (LESSONS.replace("import os", "import sys, os  # more"), set()),
        (LESSONS.replace("import os", "import sys as os"), {"os"}),
        (LESSONS.replace("100", "200"), {"START"}),
        (LESSONS.replace("return x", "own = x\n    return own"), {"helper"}),
        (LESSONS.replace("text =", "text = other ="), {"file", "text", "other"}),
        (LESSONS + "START += 1", {"START"}),
        (LESSONS + "rows[0].size = 3", {"rows"}),
        (LESSONS + "os.environ['A'] = '1'", {"os"}),
        (LESSONS + "os.chdir('.')", set()),
        (LESSONS + "table = []\nfor row in rows:\n    table.append(row)", {"row", "table"}),
        (LESSONS + "def new(x):\n    x.y = 1\nnew(3)", set()),
        (LESSONS + "try:\n    import tomllib\nexcept ImportError as error:\n    tomllib = None", {"tomllib", "error"}),
        (LESSONS + "from math import *", {"*"}),
        (LESSONS + "import json as rows", set()),  # the lesson's, from another cell of it
        (LESSONS + "import json.tool as rows", {"rows"}),
        (LESSONS + "more, START = 3, 4", {"more", "START"}),
    ],
)
def test_which_names_a_change_gives_or_changes(changed, names):
    imported = {("os", "", "os"), ("rows", "", "json")}
    known = {"os", "rows", "START", "helper", "file", "text"}
    assert python_code.changes_of(changed, LESSONS, known, imported) == names


@pytest.mark.parametrize("marks", ["\u0301\u0323", "\u0301\uff9e", "\u0f73\u0f71", "\u0344\u0323"])
def test_a_letter_with_very_many_marks_is_refused_at_once(marks):
    """CPython sorts those of a name while nothing else of this process runs."""
    many = marks * 20_000
    watch = Stopwatch()
    for text in (f"a{many} = 1", f"a{many[::2]}{many[1::2]} = 1", f"'a{many}'"):
        for asked in (python_code.parse, python_code.defined_names, python_code.names_read):
            with pytest.raises(ValueError, match="marks"):
                asked(text)
    assert watch.seconds() < 3
    assert python_code.defined_names(f"a{many[:60]} = '{'é' * 500}' # {'ภาษาไทย' * 500}")


@pytest.mark.parametrize(
    "text",
    [
        "import a" + ".\U00020000" * 48_000,
        "def f(" + ",".join(map(chr, range(0x4E00, 0x4E00 + 20_000))) + "):\n " + ("lambda:" * 20 + "0,") * 340,
        "f'" + "\U0001d4b3" * 48_000 + "{a}" * 16_000 + "'",
        "x." * 49_000 + "x",
        "import " + ".".join(["\u2118"] * 9000),
        "import " + ".".join(["a\u0301"] * 9000),
        "x" + ".a\u00b7" * 9000,
    ],
    ids=["dots", "scopes", "braces", "attributes", "names without a letter", "accents", "points in names"],
)
def test_what_cpython_takes_the_square_of_is_refused_at_once(text):
    watch = Stopwatch()
    for asked in (python_code.parse, python_code.defined_names, python_code.names_read):
        with pytest.raises(ValueError):
            asked(text)
    assert watch.seconds() < 3


def test_no_lessons_or_answers_text_comes_near_what_is_refused():
    for path in [*ROOT.glob("solutions/**/*.py"), *ROOT.glob("autograder/**/*.py")]:
        text = path.read_text(encoding="utf-8")
        assert len(text) > python_code.MAX_CODE or python_code.limited(text) == text
