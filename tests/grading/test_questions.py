"""A kernel that lies about its values, breaks off or forges answers: no undeserved point, and one check lost.

Here one submission at a time, in plain kernels, so also where there is no sandbox; :mod:`tests.attacks` has the rest.
"""

from __future__ import annotations

import asyncio
import builtins
import errno
import re
import sys
import time
from types import SimpleNamespace
from typing import Any

import nbformat
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.authoring.answers import reference_answers, submission
from autograder.errors import CourseError
from autograder.grading.checks.channel import MAX_REPLY, Channel, ChannelFailure, _answer
from autograder.grading.checks.codec import MAX_TEXT, encode
from autograder.grading.checks.judge import Judge, _failed
from autograder.grading.lesson import Lesson
from autograder.grading.report import Status
from autograder.grading.sandbox.client import MAX_MESSAGE
from autograder.python_code import imports_of, imports_where_missing, names_of
from tests.grading.conftest import SEARCHES_MEMORY, graded

pytestmark = pytest.mark.xdist_group("questions")

FULL = (7, 7)
NO_DOUBLE = (4, 7)  # all that does not ask `double`


def grade(lesson, double, **limits):
    """The report on a submission with this cell as its answer to `double`; the rest is right."""
    answers = reference_answers(lesson) | {"double": double}
    report = graded(submission(lesson, answers), lesson, **({"cell_seconds": 20} | limits)).report
    return report, {check.name: check for check in report.checks}


FORGE = """
kernel = get_ipython().kernel
def forge(header):
    told = {"status": "ok", "data": {"text/plain": "Zm9yZ2Vk"}, "metadata": {}}
    content = {"status": "ok", "execution_count": 1, "payload": [], "user_expressions": {"answer": told}}
    to = kernel._parent_ident["shell"]
    assert kernel.session.send(kernel.shell_stream.socket, "execute_reply", content, {"header": header}, ident=to)
"""
LIES = {
    "always equal": """
class Liar(int):
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __hash__(self): return 0
def double(x): return Liar(0)""",
    "a class that claims to be int": """
class Liar:
    __class__ = int
    def __eq__(self, other): return True
    def __reduce__(self): return (eval, ("4",))
def double(x): return Liar()""",
    "a metaclass that lies about names": """
class Meta(type):
    def __eq__(cls, other): return True
    def __hash__(cls): return hash(int)
class Liar(metaclass=Meta):
    pass
Meta.__qualname__ = property(lambda cls: "int")
Meta.__module__ = property(lambda cls: 1 / 0)
def double(x): return Liar()""",
    "StopIteration ends no loop of the check": """
def double(x): raise StopIteration""",
    "an error of no words": """
class Mute(Exception):
    def __str__(self): return 1
    args = property(lambda self: 1 / 0)
def double(x): raise Mute""",
    "an error that looks like a passed check": """
def double(x): raise SystemExit(0)""",
    "a display formatter of its own": """
get_ipython().display_formatter.formatters["text/plain"].for_type(str, lambda s, p, c: p.text("'forged'"))
def double(x): return 0""",
    "patched base64 and json": """
import base64, json
base64.b64encode = lambda *a: b"forged"
json.dumps = lambda *a, **k: "4"
def double(x): return 0""",
    "patched do_execute": """
async def do_execute(*a, **k):
    return {"status": "ok", "execution_count": 1, "payload": [], "user_expressions": {}}
get_ipython().kernel.do_execute = do_execute
def double(x): return 0""",
    "a forged reply to this question": FORGE
    + """
def double(x):
    forge(kernel.get_parent("shell")["header"])
    return 0""",
    "forged replies to the questions to come": FORGE
    + """
def double(x):
    header = dict(kernel.get_parent("shell")["header"])
    begin, _, count = header["msg_id"].rpartition("_")
    for ahead in range(1, 9):
        forge(header | {"msg_id": f"{begin}_{int(count) + ahead}"})
    return 0""",
    "late forged replies": FORGE
    + """
import threading, time
def double(x):
    header = kernel.get_parent("shell")["header"]
    threading.Timer(0.001, lambda: [forge(header) for _ in range(50)]).start()
    return 0""",
    "an answer kept for later": """
import sys
seen = []
def double(x):
    module = sys.modules["course_answers"]
    right = module.answer
    module.answer = lambda *a: seen[0] if seen else seen.append(right(*a)) or seen[0]
    return 4 if not seen else 0""",
}


@pytest.mark.parametrize("name", LIES)
def test_a_lie_earns_nothing(sums, name):
    report, checks = grade(sums, LIES[name])
    kept = name == "an answer kept for later"  # its first answer is right
    assert checks["double-two"].passed == kept and not checks["double-minus"].passed
    assert report.automatic[0] <= 4 + 2 * kept and checks["double-minus"].message


def test_honest_values_of_other_classes_still_count(sums):
    report, _ = grade(sums, "import numpy as np\ndef double(x): return np.int64(2 * x)")
    assert report.automatic == FULL
    report, _ = grade(sums, "from fractions import Fraction\ndouble = lambda x: float(Fraction(2 * x))")
    assert report.automatic == FULL


def test_an_unknown_value_is_told_to_the_learner(sums):
    report, checks = grade(sums, "from fractions import Fraction\ndef double(x): return Fraction(2 * x)")
    assert report.automatic == NO_DOUBLE
    words = "Your function returned a fractions.Fraction; return numbers, text, lists, dicts or arrays."
    assert checks["double-two"].message == words


NAMES_OF_OURS = ["CodecError", "UnsupportedValue", "RefusedGraph", "NoAnswer", "BrokenReference", "ChannelFailure"]


def test_an_error_of_the_learner_with_a_name_of_ours_is_the_learners(sums):
    text = f"""
names = iter({NAMES_OF_OURS!r} * 9)
def double(x): raise type(next(names), (Exception,), {{}})("the lesson is wrong")"""
    for name in NAMES_OF_OURS[::2]:
        _, checks = grade(sums, text.replace("iter([", f"iter([{name!r}, "))
        assert checks["double-two"].message == f"Running your code raised {name}: the lesson is wrong"


def test_an_error_of_the_learner_does_not_speak_for_the_check(sums):
    _, checks = grade(sums, "def double(x): raise AssertionError('got: 4\\nexpected: 5\\nlikely: the lesson is wrong')")
    assert checks["double-two"].message.startswith("Running your code raised AssertionError")
    assert not checks["double-two"].expected and not checks["double-two"].likely


def test_an_error_of_the_check_is_not_told_as_one_of_the_learners_code(sums):
    _, checks = grade(sums, "double = 4")
    assert checks["double-two"].message.startswith("The check could not go on with what your code gave it (TypeError: ")


def test_exit_inside_a_function_costs_its_own_checks_only(sums):
    report, checks = grade(sums, "import os\ndef double(x): os._exit(0)")
    assert report.automatic == NO_DOUBLE and not report.problem
    assert "The kernel ended while it ran your function" in checks["double-two"].message


def test_a_kernel_that_takes_the_place_of_a_lost_one_leaves_the_notebook_as_it_is(sums):
    answers = {"double": "import os\ndef double(x): os._exit(0)", "double-try": "print('try it')"}
    executed = graded(submission(sums, reference_answers(sums) | answers), sums, cell_seconds=20).notebook
    cells = {cell.id: cell for cell in executed.cells}
    changed = [cell.id for cell in sums.solution.cells if cells[cell.id].source != cell.source]
    assert set(changed) <= {"double", "double-try", "halve", "why"}  # the learner's
    assert [output.output_type for output in cells["double-two"].outputs] == ["error"]
    assert cells["double-try"].outputs[0].text == "try it\n"


def test_a_function_without_end_is_stopped_and_others_are_graded(sums):
    start = time.monotonic()
    report, checks = grade(sums, "def double(x):\n    while True: pass", cell_seconds=2)
    assert report.automatic == NO_DOUBLE and not report.problem
    assert "did not return in the time" in checks["double-two"].message
    assert time.monotonic() - start < 30


def test_a_function_that_cannot_be_stopped_costs_its_own_checks_only(sums):
    stubborn = (
        "import time\ndef double(x):\n    while True:\n        try: time.sleep(9)\n        except BaseException: pass"
    )
    report, checks = grade(sums, stubborn, cell_seconds=2, notebook_seconds=60)
    assert report.automatic == NO_DOUBLE
    assert "did not return in the time" in checks["double-minus"].message


@pytest.mark.parametrize(
    "code",
    [
        "def double(x): return 'x' * 10**9",
        "def double(x): return [0] * 10**7",
        "import numpy as np\ndef double(x): return np.zeros(10**8)",
        "def double(x): return 10**(10**6)",
        "def double(x):\n    a = []\n    a.append(a)\n    return a",
        "def double(x):\n    a = []\n    for _ in range(60): a = [a, a]\n    return a",
    ],
    ids=["text", "list", "array", "number", "endless", "doubling"],
)
def test_huge_values_are_refused_in_words(sums, code):
    report, checks = grade(sums, code)
    assert report.automatic == NO_DOUBLE and not report.problem
    assert checks["double-minus"].message and "makes no sense" not in checks["double-minus"].message


def test_endless_recursion_is_an_error_of_the_function(sums):
    report, checks = grade(sums, "def double(x): return double(x)")
    assert report.automatic == NO_DOUBLE
    assert checks["double-two"].message.startswith("Running your code raised RecursionError")


def test_recursion_that_ends_the_kernel_costs_its_own_checks_only(sums):
    deep = "import sys\nsys.setrecursionlimit(10**9)\ndef double(x): return [*map(double, [x])]"
    report, _ = grade(sums, deep)
    assert report.automatic == NO_DOUBLE


def test_prints_change_nothing(sums):
    noisy = "import sys\ndef double(x):\n    for _ in range(1000): print('x' * 10_000)\n"
    noisy += "    print('E' * 1000, file=sys.stderr)\n    return 2 * x"
    result = graded(submission(sums, reference_answers(sums) | {"double": noisy}), sums)
    report = result.report
    assert report.automatic == FULL


@pytest.mark.parametrize(
    "above",
    [
        "\n".join(f"{name} = 'worker'" for name in dir(builtins) if name.isidentifier() and name != "__debug__"),
        "for type in ('ps', 'worker'): print(type)",
        "s = run = names = f = m = c = answer = codec = 1",
        "from rich import pretty\npretty.install()",
        "%load_ext rich",
        "from IPython.lib.pretty import for_type\nfor_type(str, lambda text, shown, cycle: shown.text('a text'))",
        "%config DisplayFormatter.active_types = ['text/html']",
    ],
    ids=[
        "names of Python's",
        "a loop's",
        "names of the question's",
        "rich",
        "rich's magic",
        "how texts are shown",
        "kinds",
    ],
)
def test_names_and_formatters_of_the_notebooks_own_are_no_matter(sums, above):
    raw = nbformat.reads(submission(sums, reference_answers(sums)).decode(), as_version=4)
    place = next(at for at, cell in enumerate(raw.cells) if cell.id == "double")
    raw.cells.insert(place, nbformat.v4.new_code_cell(above))
    report = graded(nbformat.writes(raw).encode(), sums, cell_seconds=20).report
    assert report.automatic == FULL, report.checks[0].message


def test_errors_arrive_as_their_own_class(sums):
    classes = {"KeyError('a')": "KeyError: 'a'", "OSError(2, 'no')": "FileNotFoundError: [Errno 2] no"}
    for raised, words in classes.items():
        _, checks = grade(sums, f"def double(x): raise {raised}")
        assert checks["double-two"].message == f"Running your code raised {words}"
    _, checks = grade(sums, "class Mine(ValueError): pass\ndef double(x): raise Mine('ha' * 9000)")
    assert checks["double-two"].message.startswith("Running your code raised Mine: haha")


@pytest.mark.skipif(sys.platform != "linux", reason="reads the memory of its own process")
def test_the_text_of_a_hidden_check_is_nowhere_in_the_kernels_memory(sums):
    # the class of one character keeps the pattern from finding itself
    spy = (
        """
import re
"""
        + SEARCHES_MEMORY
        + """def double(x):
    if not found(b"[i]t knows its own words by heart"):
        return "the search does not work"
    return "read" if found(b"[i]t takes the absolute value") else 2 * x"""
    )
    report, checks = grade(sums, spy)
    assert report.automatic == FULL, checks["double-minus"].got


KEYS = st.text() | st.sampled_from(["status", "user_expressions", "answer", "data", "text/plain"])
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(["ok", "error", "eA=="]),
    lambda part: st.lists(part, max_size=3) | st.dictionaries(KEYS, part, max_size=4),
    max_leaves=12,
)


@settings(max_examples=400, deadline=None)
@given(json_values)
def test_no_content_of_a_reply_gives_more_than_no_answer(content):
    nobody: Any = None
    channel = Channel(client=nobody, alive=nobody)

    async def reply(*_):
        return "nonce", content

    channel._reply = reply
    with pytest.raises(ChannelFailure) as caught:
        asyncio.run(channel.ask("question", 0.0))
    assert caught.value.kind == "nonsense" and "makes no sense" in str(caught.value)


def test_the_name_of_an_error_is_shown_as_what_it_is():
    told = {"status": "error", "ename": "\x1b[2J\x1b]0;attack\x07 \u202e=1+1"}
    with pytest.raises(ChannelFailure) as caught:
        _answer("nonce", {"status": "ok", "user_expressions": {"answer": told}})
    assert "(�[2J�]0;attack� �=1+1)" in str(caught.value)


@pytest.mark.parametrize("kind", ["timeout", "died", "nonsense"])
def test_no_sentence_about_a_failure_has_control_characters(kind):
    run = _failed(ChannelFailure(kind, "so\x1b[2J it\u202e ended")).run
    assert run.evalue == "so�[2J it� ended"


def faulty(error):
    async def fails(*_):
        raise error

    return fails


@pytest.mark.parametrize(
    "error", [MemoryError(), OSError(errno.ENOMEM, "no memory"), OSError(errno.EMFILE, "no files")]
)
def test_what_the_machine_lacks_while_it_asks_is_no_answer_of_the_learners(error):
    nobody: Any = None
    channel = Channel(client=nobody, alive=nobody)
    channel._reply = faulty(error)
    with pytest.raises(CourseError, match="could not ask"):
        asyncio.run(channel.ask("question", 0.0))


@pytest.mark.parametrize(
    "error", [RuntimeError("can't start new thread"), OSError(errno.ENOBUFS, "no buffers"), OSError(errno.ENOMEM, "")]
)
def test_what_the_machine_lacks_while_it_talks_with_a_checker_is_no_result(sums, right, monkeypatch, error):
    send = Judge._send

    async def fails(judge, content):
        if "answer" in content:
            raise error
        await send(judge, content)

    monkeypatch.setattr(Judge, "_send", fails)
    with pytest.raises(type(error), match=re.escape(str(error))):
        graded(right, sums)


def test_a_grader_that_cannot_look_whether_the_kernel_lives_does_not_blame_the_learner():
    nobody: Any = None
    channel: Any = Channel(client=nobody, alive=faulty(ValueError("filedescriptor out of range in select()")))
    channel._reply = lambda *_: channel._is_alive()
    with pytest.raises(CourseError, match="could not ask.*out of range"):
        asyncio.run(channel.ask("question", 0.0))


def test_imports_of_a_check_are_its_top_lines_alone():
    text = "import re\nfrom os import path as p\nx = 1\ndef f():\n    import json\nassert x, 'import sys'"
    assert imports_of(text) == "import re\nfrom os import path as p"
    names: dict[str, Any] = {"p": "the learner's", "os": 1}
    exec(imports_where_missing(f"{text}\nimport os.path, numpy as np"), names)
    assert names["re"] is re and names["p"] == "the learner's" and names["os"] == 1 and "np" in names


def test_a_cell_that_is_left_out_brings_names_and_does_nothing():
    text = """import re, no_such_module
from os import path as p
v1 = tf.compat.v1
shown = print("runs")
data = [1].copy
@decorated
def g(): pass
def f(x=missing): pass
def double(x):
    return 2 * x
class Mine: pass"""
    tf = SimpleNamespace(compat=SimpleNamespace(v1="v1"))
    names: dict[str, Any] = {"tf": tf}
    exec(names_of(text), names)
    assert set(names) - {"tf", "__builtins__"} == {"re", "p", "v1", "double", "Mine"}
    assert names["v1"] == "v1" and names["double"](2) == 4
    assert names_of("%%writefile x.py\nimport re") == ""


def test_what_a_visible_check_imports_is_there_for_the_answers_below_it(sums):
    # as in the learner's own notebook, where the check has run
    solution, release = (
        text.replace("got = double(2)", "import bisect\\ngot = double(2)")
        for text in (sums.solution_text, sums.release_text)
    )
    lesson = Lesson(sums.name, solution, release)
    answers = reference_answers(lesson) | {"halve": "def halve(x): return bisect.bisect([], 0) + x / 2"}
    for inside in (False, True):
        report = graded(submission(lesson, answers), lesson, in_kernel=inside).report
        assert report.automatic == FULL
    # there the check has names of its own: the learner's stay as they are
    answers |= {"double": "import math as bisect\ndef double(x): return bisect.fabs(2) * x"}
    answers |= {"halve": "def halve(x): return x / bisect.fabs(2)"}
    assert graded(submission(lesson, answers), lesson).report.automatic == FULL


def test_each_limit_on_the_way_lets_the_largest_value_pass():
    """Of 11 MiB as bytes the text has 14.7 MiB and its message nearly 20: each limit on the way must let it pass."""
    value = encode(b"x" * (11 << 20))
    assert len(value) < MAX_TEXT and len(value) * 4 / 3 < min(MAX_MESSAGE, MAX_REPLY)


def test_a_large_value_is_judged(sums):
    large = "def double(x):\n    return bytes(11 << 20)"
    report = graded(submission(sums, reference_answers(sums) | {"double": large}), sums).report
    (check,) = [check for check in report.checks if check.name == "double-two"]
    assert check.status is Status.FAILED, check.message  # it came, and is not 4
