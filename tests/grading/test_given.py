"""What a lesson gives for its checks stays as it is, or a person is told."""

from __future__ import annotations

import copy
import json
import textwrap
from pathlib import Path

import nbformat
import pytest

from autograder.authoring.answers import combine, read_bank, reference_answers, submission
from autograder.authoring.given import Lesson, given_functions, measured_with, noted_by
from autograder.grading import given
from autograder.grading.harmless import bound, python_of, read, touched
from autograder.grading.lesson import read_lesson
from autograder.grading.sandbox import probe
from autograder.grading.sandbox.inside.cells import marked
from autograder.python_code import parse
from tests.conftest import LESSONS
from tests.grading.conftest import graded, make_course, taken_in
from tests.pace import Stopwatch

NAME = "01_measured"
SOURCE = '''\
# %% [markdown]
# # Lesson 01 · Measured

# %%
import random
import shutil
SEEN = []
LIMIT = 2**10

class Log(list):
    """What was called."""

def drill(function, n):
    """Call a function; what it was called with, and gave."""
    log = Log()
    log.append([n, function(n)])
    return list(log)[:LIMIT] + SEEN

def unused():
    return 0

# %% [markdown] exercise="double"
# ### Exercise 1 · Double it

# %% solution="double"
def double(x):
    """Twice x."""
    ### BEGIN SOLUTION
    return 2 * x
    ### END SOLUTION

def doubled(n):
    """Given, for the checks: a drill with your function."""
    return drill(double, n)

# %% try="double"
print("try doubled(3)")

# %% check="double-three" points=3
assert doubled(3) == [[3, 6]], "not twice"
'''
GIVEN = 'def doubled(n):\n    """Given, for the checks: a drill with your function."""\n    return drill(double, n)'
RIGHT = "def double(x):\n    return x + x\n"


@pytest.fixture(scope="module")
def measured(course, tmp_path_factory):
    return read_lesson(make_course(tmp_path_factory.mktemp("measured"), course.config, NAME, SOURCE), NAME)


def taken(lesson, answer, extra=""):
    return taken_in(with_cells(lesson, [extra] if extra else [], answer), lesson)


def with_cells(lesson, texts, answer=RIGHT, place=None):
    """A submission with cells of the learner's: before the last check, or at a place."""
    notebook = nbformat.reads(submission(lesson, {"double": answer}).decode(), as_version=4)
    place = place or last_check(notebook)
    notebook.cells[place:place] = map(nbformat.v4.new_code_cell, texts)
    return nbformat.writes(notebook).encode()


@pytest.fixture
def boxed(kernels):
    """``boxed(raw, lesson)``: graded in the sandbox, where there is one."""
    return lambda raw, lesson: graded(raw, lesson, kernels)


def last_check(notebook):
    """Where the last check of `double` stands: what is inserted there runs before it."""
    return max(place for place, cell in enumerate(notebook.cells) if "# check: double-" in cell.source)


def answer_of(intake):
    return next(cell.source for cell in intake.notebook.cells if cell.id == "double")


def test_an_answer_that_leaves_it_alone_is_as_it_was(measured):
    for answer in (f"{RIGHT}\n\n{GIVEN}\n", f"{RIGHT}\n{GIVEN}   \n\nprint(doubled(2))\n"):
        intake = taken(measured, answer)
        assert answer_of(intake).strip() == answer.strip() and not intake.mends and not intake.flags


MADE_UP = GIVEN.replace("drill(double, n)", "[[n, 2 * n]]")


@pytest.mark.parametrize(
    "change",
    [
        f"{RIGHT}\nif True:\n    {MADE_UP.replace(chr(10), chr(10) + '    ')}\n",
        f"{RIGHT}\n{GIVEN}\ndoubled = lambda n: [[n, 2 * n]]\n",
        f"{RIGHT}\n{GIVEN}\nfor doubled in [print]:\n    pass\n",
    ],
)
def test_a_given_function_that_is_changed_is_shown_to_a_person(measured, change):
    (flag,) = taken(measured, change).flags
    assert flag.startswith("The checks of `double` measure with `doubled`")


def test_a_given_function_that_is_missing_is_there_for_the_checks_all_the_same(measured):
    assert taken(measured, RIGHT).flags == []
    report = graded(submission(measured, {"double": RIGHT}), measured).report
    assert report.automatic == (3, 3)


@pytest.mark.parametrize(("stub", "answer"), [(True, RIGHT), (True, f"{RIGHT}\n\n{GIVEN}"), (False, RIGHT)])
def test_an_experiment_below_the_checks_that_stands_with_it_does_not_count(measured, stub, answer):
    """In a copy of the answer's cell, which brings the given function, too: that is no part of an answer."""
    notebook = nbformat.reads(submission(measured, {"double": answer}).decode(), as_version=4)
    at = next(index for index, cell in enumerate(notebook.cells) if cell.id == "double")
    marks = copy.deepcopy(notebook.cells[at].metadata)
    if stub:
        notebook.cells[at].source = f"{measured.stubs['double']}\n# below"
        notebook.cells.insert(at + 1, nbformat.v4.new_code_cell(answer))
    experiment = f"def double(x):\n    return x * x\n\n{GIVEN}\n\nprint(doubled(3))"
    notebook.cells.append(nbformat.v4.new_code_cell(experiment, metadata=marks))
    report = graded(nbformat.writes(notebook).encode(), measured).report
    assert report.automatic == (3, 3)
    assert report.flags[0].startswith("Written once more below all its checks: `double`.")


NO_ANSWER = f"def double(x):\n    return 0\n{GIVEN}"
CHEATS = {
    "in the try cell": ("try", MADE_UP),
    "in a cell of its own": ("added", MADE_UP),
    "by a magic in the answer": ("solution", f"%time\n{MADE_UP}"),
    "by a magic that runs code": ("try", f"%time exec({MADE_UP!r})"),
    "by another name for it": ("try", f"globals()['dou' + 'bled'] = lambda n: [[n, 2 * n]]\n{'#' * 3}"),
}


@pytest.mark.parametrize("cheat", CHEATS)
def test_no_way_of_replacing_it_gives_points_without_an_answer(measured, cheat):
    where, text = CHEATS[cheat]
    notebook = nbformat.reads(submission(measured, {"double": NO_ANSWER}).decode(), as_version=4)
    if where == "added":
        notebook.cells.insert(last_check(notebook), nbformat.v4.new_code_cell(text))
    for cell in notebook.cells:
        if cell.metadata.course.role == where if "course" in cell.metadata else False:
            cell.source = f"{cell.source}\n{text}" if where == "solution" else text
    report = graded(nbformat.writes(notebook).encode(), measured).report
    assert report.automatic == (0, 3)
    if not any("so its own text is used: `doubled`" in note for note in report.notes):
        assert len(report.flags) == 1 and report.flags[0].startswith("The checks of `double` measure with")


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("def drill(function, n):\n    return [[n, 2 * n]]", "`drill`"),
        ("drill = doubled = None", "`doubled`, `drill`"),
        ("Log.append = print", "`Log`"),
        ("def cheat():\n    global drill\n    drill = 0", "`drill`"),
        ("from os import path as Log", "`Log`"),
    ],
)
def test_who_replaces_what_it_measures_with_is_shown_to_a_person(measured, code, name):
    for intake in (taken(measured, f"{RIGHT}\n{GIVEN}\n{code}"), taken(measured, f"{RIGHT}\n{GIVEN}", extra=code)):
        (flag,) = intake.flags
        assert flag.startswith(
            f"The checks of `double` measure with {name}, which a cell of this notebook replaces, or"
        )


@pytest.mark.parametrize(
    "code", ["unused = 0", "def f(drill):\n    log = drill.x\n    return Log()", "drills(", "random = 1"]
)
def test_other_names_are_the_learners_own(measured, code):
    assert taken(measured, f"{RIGHT}\n{GIVEN}", extra=code).flags == []


@pytest.mark.parametrize(
    "code",
    [
        "%run x.py",
        "run x.py",
        " time drill(3)\n",
        "!echo 1 > own.py",
        "!rm -rf ../work",
        "!rm -rf /work",
        "!mkdir x; date",
        "%env PYTHONPATH=a,b",
        "x = %system ls",
        "exec('1')",
        "!pip install ./own",
        "!pip install own.whl",
        "!pip list | python",
        "!pip list  # {drill.clear()}",
        "!nvidia-smi  # $drill",
        "!python -m pip list",
        "!python -c 1",
        "from tensorflow.python.client import session",
        "from tensorflow.python.client import device_lib\ndevice_lib.pywrap_device_lib",
        "from device_lib import list_local_devices",
        "from tensorflow.python.client import timeline\ntimeline.json",
        "'a' in repr(get_ipython())",
        "def str(kernel):\n    return kernel.x\n'a' in str(get_ipython())",
        "'a' in str(get_ipython().x)",
        "from x import *",
        ">>> drill = 1",
        "-" * 5000,
    ]
    + ["from sys import modules as m", pytest.param("0\n" * 60_000, id="many lines")],
)
def test_what_may_be_anything_is_shown_to_a_person_only_where_it_can_do_harm(measured, code):
    flags = taken(measured, f"{RIGHT}\n{GIVEN}", extra=code).flags
    assert bool(flags) == (code != "-" * 5000), "what never runs and names nothing does no harm"


@pytest.mark.parametrize(
    "code", ["%matplotlib inline\nprint(1)", "print(doubled(3))", "code = vars_ = 1", "x = 'exec'"]
)
def test_ordinary_cells_are_not_flagged(measured, code):
    assert taken(measured, f"{RIGHT}\n{GIVEN}", extra=code).flags == []


# Ways around a list of names, each of which once gave full points without an answer and without a flag, and their kin.
LIST = "[[n, 2*n]]"
EVASIONS = {
    "an operator that gives its operand back": "class A:\n    def __radd__(self, other):\n        return other\n"
    "kind = Log + A()\nkind.append = print",
    "a key that comes back": "class A:\n    def __getitem__(self, key):\n        one = key\n        return one\n"
    "kind = A()[Log]\nkind.append = print",
    "an operand that is kept": "class A:\n    def __eq__(self, other):\n        self.kept = other\n"
    "a = A()\na == Log\na.kept.append = print",
    "an operand that is changed": "class A:\n    def __radd__(self, other):\n        other.append([3, 6])\nSEEN + A()",
    "an operand whose items are changed": "class A:\n    def __eq__(self, other):\n        other[:] = [[3, 6]]\n"
    "A() == SEEN",
    "an annotation of a field": "from dataclasses import dataclass, fields\n@dataclass\nclass P:\n    x: Log\n"
    "kind = fields(P)[0].type\nkind.append = print",
    "a program beside one that shows": "!ls; python other.py",
    "a value in a line for the shell": "!ls {double.x}",
    "a file by a line for the shell": "!cat own.py > numpy.py",
    "all objects": "import gc\nfor one in gc.get_objects():\n    print(one)",
    "a text that is timed": "from timeit import timeit\ntimeit('1')",
    "a text that a module times": "import timeit\ntimeit.timeit('1')",
    "a text before what is timed": "import timeit\ntimeit.timeit(lambda: 1, setup='1')",
    "a text of another name's": "import timeit as t\nt.timeit('1')",
    "a text that is given to what times": "import timeit\ntime = timeit.timeit\ntime('1')",
    "a function of other code": "from types import FunctionType",
    "a class by an object": "Log().__class__.__iter__ = print",
    "a private name of a module": "class A:\n    def f(self):\n        self._core = 1\nx = np._core",
    "names by a method of theirs": "globals().update(drill=print)",
    "a special attribute by a text": f"getattr(double, '__glob'+'als__')['dri'+'ll'] = lambda f, n: {LIST}",
    "getattr under another name": "look = getattr\nlook(double, '__glob'+'als__')",
    "getattr in a map": "[*map(getattr, [double], ['__glob'+'als__'])][0]['dri'+'ll'] = print",
    "attrgetter": "import operator\noperator.attrgetter('__glob'+'als__')(double)['dri'+'ll'] = print",
    "attrgetter by name": "from operator import attrgetter",
    "a special method of type": "type.__setattr__(Log, '__iter__', lambda self: iter([[3, 6]]))",
    "a class under another name": "kind = Log\nkind.append = print",
    "a class in a list": "for kind in [Log]:\n    kind.append = print",
    "a class in a dictionary": "kinds = {}\nkinds['log'] = Log\nkinds['log'].append = print",
    "a class that is handed on": "def change(kind):\n    kind.append = print\nchange(Log)",
    "a class that comes back": "def same(kind):\n    return kind\nkind = same(Log)\nkind.append = print",
    "a class that comes back from a lambda": "same = lambda kind: kind\nkind = same(Log)\nkind.append = print",
    "a class as its own self": "class A:\n    def f(self):\n        self.append = print\nA.f(Log)",
    "a class by default": "def change(kind=Log):\n    kind.append = print\nchange()",
    "a class in a pattern": "match Log:\n    case kind:\n        kind.append = print",
    "functools": "import functools\nfunctools.update_wrapper(Log, print, ('append',), ())",
    "wraps": "from functools import wraps\nwraps(print, ['append'])(Log)",
    "a profiler": "import cProfile\ncProfile.run('dri'+'ll = print')",
    "a module of one's own": "from pathlib import Path\nPath('helper.py').write_text('x = 1')\nimport helper",
    "a number too long to be written down": "_ = 0x" + "f" * 6000 + "\nexec('dri'+'ll = print')",
    "a line too deep to be read": "exec('dri'+'ll = print')\nx" + ".y" * 5000,
    "a call without parentheses": "/exec ('dri'+'ll = print')",
    "an indented cell": "  exec('dri'+'ll = print')",
    "a prompt": ">>> exec('dri'+'ll = print')",
    "a prompt before what is Python with it": "In [1]: drill = print",
    "the prompt of a line that goes on": "...: drill = print",
    "such a prompt in the second line": "# x\n...: drill = print",
    "a timed line that opens a text": 'try:\n    %time x = """\nexcept SyntaxError:\n    drill = print\n# """\n'
    "finally: pass",
    "a number that only a setting lets through": "drill = print; x = " + "7" * 5000,
    "a line that goes on with nothing": f"\n    def drill(f, n): return {LIST}\\\n ",
    "a comment that ends in Unicode's way": "%time 3\n# a note\u2028drill = print",
    "a comment that ends so, for what reads sources": "# one\u2028def f(): drill = print\nimport tensorflow as tf",
    "a setting for logging, over a socket": "import logging.config\nlogging.config.listen(9123)",
    "code as bytes": "from keras.src.utils import python_utils\npython_utils.func_load('')",
    "a file that is unpickled, by place": "import numpy as np\nnp.lib.format.read_array(None, True)",
    "a first line that holds a no-break space": "\xa0\ndrill = print",
    "a first line that ends in Unicode's way": " \u2028drill = print",
    "a first line of a wide space, for a magic": "\u3000\n%time exec('dri'+'ll = print')",
    "a prompt of vi's": "[ins] In [1]: drill = print",
    "another prompt of vi's": "[nav] In [1]: drill = print",
    "a prompt behind a carriage return": "x = 3\r...: drill = print",
    "a magic behind a carriage return": "x = 3\r%time exec('dri'+'ll = print')",
    "a magic for a name, behind a form feed": "k = 2\nx = \x0c%time (drill := print)",
    "a shell for a name, behind a form feed": "k = 2\nx = \x0c!echo {drill.append(3)}",
    "a magic for a name, on the next line": "k = 2\nx = \\\n%time exec('dri'+'ll = print')",
    "a magic that evaluates": "%matplotlib {exec('dri'+'ll = print')}",
    "a magic for time": "%time exec('dri'+'ll = print')",
    "the kernel's answers": "from IPython.core import interactiveshell as i\ni.InteractiveShell.ask = print",
    "what IPython puts among the names": "exit._ip.user_ns['dri'+'ll'] = print",
    "a frame": "try:\n    1 / 0\nexcept Exception as e:\n    e.__traceback__.tb_frame.f_globals['dri'+'ll'] = print",
    "a module's function": "import random\nrandom.random = print",
    "a module's function, from the lesson's import": "os.getpid = print",
    "a part of a module": "import tensorflow as tf\npart = tf.nn\npart.relu = print",
    "a module in a module": "import dataclasses\ndataclasses.inspect.currentframe()",
    "a function by a module's name": "from time import time as drill\nfrom random import random as doubled",
    "another module by a usual name": "import numpy as tf\nimport math as drill",
    "a method under another name": "note = SEEN.append\nnote(1)",
    "a method in a map": "[*map(SEEN.append, [1])]",
    "a list that is begun anew": "SEEN.__init__([1])",
    "a list that is begun anew, under another name": "again = SEEN.__init__\nagain([1])",
    "a list that is begun anew, by a function": "def again(self):\n    SEEN.__init__(self)\nagain([1])",
    "a list that a class begins anew and fails": "class A(SEEN):\n    def __init__(self):\n"
    "        SEEN.__init__(self)\n    __init__([1])",
    "a list that a method begins anew": "class A:\n    def __init__(self, x):\n        SEEN.__init__(x)\nA([1])",
    "a list that its class begins anew": "list.__init__(SEEN, [1])",
    "a method of sets": "SEEN.difference_update({1})",
    "a method of sets, both ways": "SEEN.symmetric_difference_update({1})",
    "a method of deques": "SEEN.extendleft([1])",
    "a method of all lists": "list.append(SEEN, 1)",
    "a method of all of another module's": "import collections\ncollections.deque.append(SEEN, 1)",
    "more of it under another name": "same = SEEN\nsame += [1]",
    "a function that fills": "import heapq\nheapq.heappush(SEEN, 1)",
    "a function that fills what is in a list": "import operator\nfor one in [SEEN]:\n    operator.iadd(one, [1])",
    "a list whose name a function has, too": "def unused(SEEN): pass\nSEEN.append(1)",
    "a class whose name a function has, too": "def unused(Log): pass\nLog.append = print",
    "a module whose name a function has, too": "def unused(tf): pass\ndef f(x): x.nn = 1\nf(tf)",
    "a function under another name": "def change(kind):\n    kind.append = print\nother = change\nother(Log)",
    "a function in a map": "def change(kind):\n    kind.append = print\n[*map(change, [Log])]",
    "a function of a library's in a map": "def change(kind):\n    kind.build = print\n[*map(change, [keras.Model])]",
    "a function by a key": "def change(kind):\n    kind.append = print\nmax([Log], key=change)",
    "a lambda's class": "change = lambda kind: kind\n[one] = map(change, [Log])\none.append = print",
    "a context": "from contextlib import nullcontext\nwith nullcontext(Log) as kind:\n    kind.append = print",
    "a library's class in a context": "from contextlib import nullcontext\n"
    "with nullcontext(keras.Model) as kind:\n    kind.build = print",
    "a generator": "def kinds():\n    yield keras.Model\nfor kind in kinds():\n    kind.build = print",
    "a copy of a class": "import copy\nkind = copy.copy(keras.Model)\nkind.build = print",
    "a thread's function": "import threading\ndef change(kind):\n    kind.append = print\n"
    "threading.Thread(target=change, args=(Log,)).start()",
    "an object's part": "class A:\n    def __init__(self, kind):\n        kind.append = print\nA(Log)",
    "a decorator that is called": "from dataclasses import dataclass\ndataclass(repr=False)(Log)",
    "a library's function that the lesson's calls": "from heapq import heapify\ndrill(heapify, SEEN)",
    "a module's function that the lesson's calls": "import heapq\ndrill(heapq.heapify, SEEN)",
    "one's own function that the lesson's calls": "def change(kind):\n    kind.append = print\ndrill(change, Log)",
    "a name that a comprehension leaves behind": f"[drill := one for one in [lambda f, n: {LIST}]]",
    "a name that a default's comprehension leaves": f"def f(x=[drill := one for one in [lambda f, n: {LIST}]]): pass",
    "where modules come from": "import sys\nsys.path.insert(0, 'mine')\nimport calendar",
    "where modules come from, by name": "from sys import path\npath.insert(0, 'mine')\nimport calendar",
    "a module by a text, for logging": "import logging.config\nlogging.config.dictConfig({'version': 1})",
    "an annotation that is run": "import functools\n@functools.singledispatch\ndef f(x): pass\n"
    "@f.register\ndef g(x: \"exec('')\"): pass",
    "a file that runs what it holds": "import io, numpy as np\nnp.load(io.BytesIO(b''), allow_pickle=True)",
    "a file that runs what it holds, by place": "import io, numpy as np\nnp.load(io.BytesIO(b''), None, True)",
    "bytes that are run": "import multiprocessing\na, b = multiprocessing.Pipe()\na.send_bytes(b'')\nb.recv()",
    "the class of an object": "log = Log()\ntype(log).append = print",
    "the class of an object, under another name": "log = Log()\nkind = type(log)\nkind.append = print",
    "the class of what a function makes": "def make():\n    return Log()\ntype(make()).append = print",
    "the class of what a call makes": "type(doubled(3)).append = print",
    "a base of a class": "class A(Log):\n    pass\nA.mro()[1].append = print",
    "a base of a class, from in it": "class A(Log):\n    @classmethod\n    def f(cls):\n"
    "        cls.mro()[1].append = print\nA.f()",
    "an operator": "class A:\n    def __eq__(self, kind):\n        kind.append = print\nA() == Log",
    "a subscript": "class A:\n    def __getitem__(self, kind):\n        kind.append = print\nA()[Log]",
    "a class's subscript": "class A:\n    def __class_getitem__(cls, kind):\n        change(kind)\nA[Log]",
    "what asks for an instance": "class A(type):\n    def __instancecheck__(self, kind):\n        kind.x = 1",
    "what takes a base's place": "class A:\n    def __mro_entries__(self, bases):\n        return ()\n"
    "class B(Log, A()):\n    pass",
    "an annotation": "def f(x: Log): pass\nf.__annotations__['x'].append = print",
    "an annotation of a cell's": "x: Log\n__annotations__['x'].append = print",
    "a type's argument": "import typing\ntyping.get_args(typing.List[Log])[0].append = print",
    "a builtin": "def list(x):\n    return [[n, 2 * n] for n, _ in x]",
    "a name that an annotation's comprehension leaves": f"def f(x: [drill := g for g in [lambda f, n: {LIST}]]): pass",
    "what a cell showed": "_.append = print",
    "what a cell showed, by its number": "Out[3].append = print",
    "a key": "d = {}\nd[Log] = 1\nkind = next(iter(d))\nkind.append = print",
    "where modules come from, under another name": "import sys as s\ns.path.insert(0, 'mine')",
    "where modules come from, by another module": "import os\nos.sys.path.insert(0, 'mine')",
    "a folder of a namespace": "import google.own",
    "a magic behind a form feed": "\x0c%run own.py",
    "a prompt behind a form feed": "\x0bIn [1]: drill = print",
    "a file that is written by a name of the notebook's": "%%writefile {exec('x')}\nx = 1",
    "a timed text that hands on": "%timeit -n 3 {double: SEEN}",
    "a timed text of a shell": "%timeit !{drill}",
    "an error's object": "try:\n    drill.x\nexcept AttributeError as error:\n    error.obj.y = 1",
    "an error's object as its own": "class E(AttributeError):\n    def f(self):\n        return self.obj",
    "a builtin before it is hidden": "eval('1')\neval = 3",
    "a builtin that is hidden in a function": "def f(x):\n    eval = x\n    return eval\neval('1')",
    "a builtin behind a name that is timed": "%timeit -n 1 vars = 3\nvars()['drill'] = 1",
    "a module behind a name that is timed": "%timeit -n 1 random = 3\ng = [random]\ng[0].choice = print",
    "a name that is timed for all": "%%timeit -n 1\nglobal drill\ndrill = 3",
    "a builtin that is added to": "class X:\n    def __radd__(self, other):\n        return other\neval += X()",
    "what measures, in a class": "class A:\n    SEEN += [[9, 9]]",
    "an error's object that is added to": "def f(self):\n    self.obj += [9]\ntry:\n    SEEN.x\n"
    "except AttributeError as error:\n    f(error)",
    "an operator without itself": "class X:\n    @staticmethod\n    def __radd__(other):\n        f(other)\nLog + X()",
    "an operator of all": "class X:\n    def __radd__(*both):\n        f(both[1])\nLog + X()",
    "an operator of more": "class X:\n    def __radd__(self, *other):\n        f(other[0])\nLog + X()",
    "an operator to wait for": "class X:\n    async def __radd__(self, other):\n        f(other)\nawait (Log + X())",
    "an operator that is set": "def f(this, other):\n    g(other)\nclass X:\n    pass\nX.__add__ = f",
    "an operator that is set again": "class X:\n    pass\nfor X.__eq__ in [print]:\n    pass",
    "an operator that adds in place": "class X:\n    def __radd__(self, other):\n        other[0:0] += [3]\nSEEN + X()",
    "a magic that is timed": "%%timeit -n1 -r1\n%%time\ndef drill(function, n):\n    return [[n, 2 * n]]",
    "a magic that is timed quietly": "%%timeit -n1 -r1\n%%capture\ndrill = 3",
    "a line that is timed in what is timed": "%%timeit -n1 -r1\ndrill = 3\n%timeit -n1 -r1 1/0",
    "a copy of names": "%%timeit -n1 -r1\n%time Log = []\nLog.append = print",
    "what was shown, timed": "_ = 0\n%timeit -n1 -r1 _.append = print",
    "an operator that is made": "class X:\n    @abstractmethod\n    def __radd__(self, other):\n        pass",
    "an operand that is a key": "class X:\n    def __radd__(self, other):\n        return {}[other]\n"
    "try:\n    Log + X()\nexcept KeyError as error:\n    error.args[0].append = print",
    "a builtin that is shown again": "def f():\n    vars = 3\n    del vars\nvars(drill)",
    "an error's object in a function": "class Box:\n    def __init__(self):\n        self.obj = 1\n"
    "    def first(self):\n        return self.obj\ntry:\n    Log.shape\nexcept AttributeError as error:\n"
    "    Box.first(error).append = print",
    "a builtin of a pattern": "def f(x):\n    match x:\n        case str:\n            'a' in str(get_ipython())",
    "what only looks, of a pattern": "def f(x):\n    match x:\n        case print:\n            print(Log)",
    "a formatter of a pattern": "import logging\ndef f(x):\n    match x:\n        case logging:\n"
    "            return logging.Formatter()",
    "a builtin as a default": "def f(eval=eval):\n    return eval('1')",
    "a builtin by its own name": "vars = vars\nvars(drill)",
    "a builtin of a class": "class A:\n    eval = eval",
    "a builtin in a comprehension": "x = [0 for vars in [1]]\nvars(drill)",
    "a formatter that is another's": "import string as logging\nlogging.Formatter().get_field('x', [], {})",
    "a formatter that was given": "def f(logging):\n    return logging.Formatter()",
    "a setting that is made up": "%config InlineBackend.figure_format = print(drill)",
    "a shell that reads what another writes": "!ls | grep {drill}",
    "a magic in brackets": "import argparse\np = argparse.ArgumentParser()\ntime = p.parse_args\ntry:\n    (drill\n"
    "%time (['--append'], Log)\n)\nexcept TypeError: pass",
    "a timed text in brackets": "timeit = q = 3\ntry:\n    ('x'\n%timeit -q (['--append'], Log)\n)\n"
    "except TypeError: pass",
    "modules under their own name": "from sys import modules\nmodules['x'] = 3",
    "a module by a text, for pictures": "import matplotlib\nmatplotlib.use('module://own')",
    "the annotation of a parameter": "import inspect\ndef f(x: Log): pass\n"
    "inspect.signature(f).parameters['x'].annotation.append = print",
    "an object of another class": "class Box: pass\nBox = lambda: double\ngetattr(Box(), '__glo' + 'bals__')",
    "a class that makes another's object": "class Box:\n    def __new__(cls):\n        return double\n"
    "box = Box()\ngetattr(box, '__glo' + 'bals__')",
    "an argument by a text": "import io, numpy as np\nnp.load(io.BytesIO(b''), **{'allow_pickle': True})",
    "the shell": "import IPython.display\nIPython.InteractiveShell.instance().push({'dri' + 'll': print})",
    "the shell that shows": "import sys\nsys.displayhook.shell.push({'dri' + 'll': print})",
    "a pattern's attribute": "match double:\n    case object(__globals__=g):\n        g['dri' + 'll'] = print",
    "a magic without its sign": "autocall 2",
    "a base by a metaclass": "class A(type):\n    def __init__(cls, name, bases, space):\n        bases[0].x = 1\n"
    "class B(Log, metaclass=A): pass",
    "a test that runs a text": "import numpy as np\nnp.testing.measure('dri' + 'll = print')",
    "a decorator of a library's class": "import functools\nfunctools.total_ordering(keras.Model)",
    "an option of %time, anywhere in the line": "%time y = Log --no\ny.append = print",
    "a text that %time takes apart": '%time x = """a "+exec("1")+" c"""',
    "a timed line in a function": "def g():\n    drill = print\n    %timeit -n1 -r1 1/0",
    "a class on a timed line in a function": "def g():\n    Log = []\n    %time class A: Log.append = print",
    "a binding on a timed line in a function": "def g():\n    %timeit -n1 -r1 Log = []\n    Log.append = print",
    "a timed line in a class": "class A:\n    %time Log = []\n    Log.append = print",
    "a question behind a line that goes on": "def g():\n    Log = []; \\\nnotes?\n    Log.append = print",
    "a question in a function, and a magic of one's own": "def get_ipython():\n    return 3",
    "a magic's call of one's own": "%ls\ndef g(): get_ipython().run_cell_magic('time', '', 'drill = print')\ng()",
    "a magic's call in other letters": "%ls\nｇet_ipython().run_line_magic('time', 'drill = print')",
    "what is an option of another magic's": "n1 = print\n%time -n1 (Log)",
    "a notebook of another name": "__name__ = 'IPython.own'",
    "a notebook of another name, by a pattern": "match 'own.py':\n    case __file__: pass",
    "a notebook of another name, by an import": "from string import digits as __name__",
    "what Python runs, by a module's name for it": "import enum\nenum.bltns.exec('drill = print')",
    "what Python runs, by a module's own": "import os\nos.exec('drill = print')",
    "an import by a library's name for it": "from sklearn.utils.discovery import import_module\nimport_module('own')",
    "a function of other code, by a library": "import dataclasses\ndataclasses.FunctionType(None, {})",
    "a module of the lesson's that leads to another": "shutil.os.listdir = print",
    "many changes for one sign": "x y\n" + "," * 5000 + "f",
    "a library of native code": "import numpy as np\nnp.ctypeslib.load_library('own.so', '.')",
    "an op of native code": "import tensorflow as tf\ntf.load_op_library('own.so')",
    "memory by its address": "import numpy as np\nnp.lib.stride_tricks.as_strided(np.zeros(1), (9,), (1,))[0] = 1",
    "a module that no page names": "import multiprocessing.spawn\nmultiprocessing.spawn.prepare({})",
    "a module by an attribute of their own": "class A:\n    spawn = 1\n"
    "import multiprocessing\nmultiprocessing.spawn.prepare({})",
    "a module in a module, by a name of its own": "inner = tf.data\nclass A:\n    python = 1\ninner.python",
    "bytes that are run, by a queue": "import multiprocessing\nmultiprocessing.Queue().get()",
    "bytes that are run, in a pool": "from concurrent.futures import ProcessPoolExecutor",
    "another program in its place": "import os\nos.execv('own', [])",
    "a module in a class": "class B:\n    os = 1\nclass A:\n    p = tf.io\nA.p.os.listdir = print",
    "a module that a class imports": "class B:\n    o = 1\nclass A:\n    import os as o\nA.o.listdir = print",
    "tests out of files": "import numpy as np\nnp.test(tests=['own.py'])",
    "a name that a class takes": "class A:\n    SEEN = SEEN\nA.SEEN.append([3, 6])",
    "a name that a class may have": "class A:\n    if 0: Log = 1\n    kind = Log\nA.kind.append = print",
    "a module as self": "import dataclasses as self\nself._create_fn('f', [], ['import own'])()",
    "a class as self": "import enum\nclass self(enum.IntEnum):\n    a = 1\nself._convert_('drill', '__main__', print)",
    "an attribute by a text, of a parameter": "class Box: pass\nbox = Box()\n"
    "def f(box):\n    return getattr(box, '__glob' + 'als__')\nf(f).update(drill=print)",
    "an attribute by a text, of a function": "class Box: pass\nbox = Box()\ndef box(): pass\n"
    "getattr(box, '__glob' + 'als__')['dri' + 'll'] = print",
    "an attribute by a text, of a class's name": "class Box: pass\ndef Box():\n    return double\nbox = Box()\n"
    "getattr(box, '__glob' + 'als__').update(drill=print)",
    "an attribute by a pattern": "import abc, dataclasses\n"
    "P = dataclasses.make_dataclass('P', ['__glob' + 'als__'], bases=(abc.ABC,))\ndef own(): pass\n"
    "P.register(type(own))\nmatch own:\n    case P(g):\n        g.update(drill=print)",
    "names out of a class": "import enum\n@enum.global_enum\nclass E(enum.Enum):\n    drill = 1",
    "the kernel, by what prints": "import sys\nclass A:\n    session = parent = shell = push = 1\n"
    "sys.stdout.session.parent.shell.push({'drill': print})",
    "the kernel, by a widget": "import ipywidgets\nclass A:\n    comm = kernel = shell = push = 1\n"
    "w = ipywidgets.IntSlider()\nw.comm.kernel.shell.push({'drill': print})",
    "a text that NumPy's tests run": "import numpy.testing as t\nt.measure('drill = print')",
    "a text that a type's annotation is": "class E(tf.experimental.ExtensionType):\n    x: 'print(1)'",
    "an operator that hands its operand on": "def change(kind):\n    kind.append = print\n"
    "class A:\n    def __radd__(self, other):\n        change(other)\nLog + A()",
    "an operator that takes a method": "class A:\n    def __radd__(self, other):\n"
    "        add = other.append\n        add(3)\nSEEN + A()",
    "a module beside a value of its name": "import matplotlib.axis\nclass A:\n    logging = 1\n"
    "m = matplotlib.axis\nm.logging.re",
    "a pickle in a file": "from sklearn.datasets import fetch_olivetti_faces",
    "where programs find modules": "import os\nos.environ['PYTHONPATH'] = 'own'",
    "where programs find modules, by a magic": "%env PYTHONPATH own",
    "memory as a file": "with open('/proc/self/mem', 'r+b', 0) as memory:\n    memory.seek(id(drill))",
}


@pytest.mark.parametrize("way", EVASIONS)
def test_a_roundabout_way_is_shown_to_a_person(measured, way):
    text = EVASIONS[way]
    alone = (
        text.startswith((" ", "\n", "\xa0", "\x0b", "\x0c", "In ")) or way == "a magic without its sign"
    )  # is one only where nothing is before it
    for intake in (
        None if alone else taken(measured, f"{RIGHT}\n{GIVEN}\n{text}"),
        taken(measured, f"{RIGHT}\n{GIVEN}", extra=text),
    ):
        assert intake is None or len(intake.flags) == 1


PUT = "def put(log, item):\n    log += [[3, 6]]\ndef change(kind):\n    kind.append = put\n"


@pytest.mark.parametrize(
    "header",
    [
        "def f(x=(print := lambda k: change(k))): pass",
        "def f(x: (print := lambda k: change(k))): pass",
        "@(print := lambda k: change(k) or k)\ndef f(): pass",
        "lambda x=(print := lambda k: change(k)): 0",
        "class A([print := lambda k: change(k), object][1]): pass",
    ],
)
def test_a_name_that_is_given_in_a_functions_header_is_given(measured, header):
    intake = taken_in(with_cells(measured, [PUT + header, "print(Log)"]), measured)
    assert intake.flags, "what `print` stands for is not only shown"


@pytest.mark.parametrize(
    "way",
    [
        "def change(f):\n    f.__code__ = double.__code__\nchange(drill)",
        "run = drill\nrun.__globals__['SEEN'] = [[3, 6]]",
        "import inspect\nfor f in (drill,):\n    inspect.getclosurevars(f).globals['SEEN'].append([3, 6])",
        "from functools import update_wrapper\nupdate_wrapper(drill, double, ('__code__',))",
        "import functools\nrun = functools.wraps(double, ('__code__',))(drill)",
        "import functools\nfunctools.wraps(double)(drill)  # what takes its source finds the other's",
        "from functools import wraps as change\nchange(double)(drill)",
        "from functools import wraps\nchange = wraps(double)\nchange(drill)",
        "from functools import wraps\n@wraps(double)\n@(lambda f: drill)\ndef f(): pass",
        "run = drill\nsetattr(run, '__co' + 'de__', double)",
        "vars([drill][0])",
        "import tensorflow as tf\nstubs = tf.compat.v1.test.StubOutForTesting()\nstubs.Set(drill, '__code__', 1)",
        "import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument('--a', dest='__code__')\n"
        "parser.parse_args(['--a', '1'], drill)",
        "import argparse\nargparse.ArgumentParser().parse_args(*[[], drill])",
        "import optparse\noptparse.OptionParser().parse_args([], values=drill)",
        "import numpy as np\nnp.testing.decorate_methods(Log, double, 'append')",
        "import some_library\nrun = drill\nsome_library.change(run)",
        "import some_library\ndef change(f):\n    some_library.change([f])\nchange(drill)",
        "import numpy as np\nchange = np.testing.break_cycles\nchange(drill)",
        "from functools import wraps\nclass A:\n    pass\n@wraps(*(A(), (), ('__globals__',)))\ndef f(): pass",
        "import numpy as np\nnp.load(*('kept.npy', None, True))",
        "import numpy as np\nread = np.load\nread('kept.npy', None, True)",
        "from numpy import load as read\nread('kept.npy', None, True)",
        "import numpy as np\nlist(map(np.load, ['kept.npy'], [None], [True]))",
        "import numpy as np\nlist(map(np.load, *[['kept.npy'], [None], [True]]))",
        "import numpy as np\nfrom concurrent.futures import ThreadPoolExecutor\n"
        "ThreadPoolExecutor().submit(np.load, 'kept.npy', None, True)",
        "import numpy as np\nimport tensorflow as tf\ntf.numpy_function(np.load, ['kept.npy', None, True], tf.int32)",
        "import numpy as np\nimport tensorflow as tf\ntf.py_function(np.load, [*('a.npy', None, True)], tf.int32)",
        "import numpy as np\ndef map(f, path):\n    return f(path, None, True)\nmap(np.load, 'kept.npy')",
        "import numpy as np\nmap = lambda f, path: f(path, None, True)\nmap(np.load, 'kept.npy')",
        "import numpy as np\ndef go(map):\n    map(np.load, 'kept.npy')\ngo(lambda f, path: f(path, None, True))",
        "import numpy as np\nclass P:\n    def map(self, f, path):\n        f(path, None, True)\nP().map(np.load, 'a')",
        "import numpy as np\nfrom types import SimpleNamespace\n"
        "SimpleNamespace(map=lambda f, path: f(path, None, True)).map(np.load, 'kept.npy')",
        "import numpy as np\nfrom concurrent.futures import ThreadPoolExecutor\nclass E(ThreadPoolExecutor):\n"
        "    def submit(self, f, *given):\n        super().submit(f, *given, None, True)\nE().map(np.load, ['a'])",
        "from numpy.lib.npyio import load\nload('kept.npy', None, True)",
        "import contextlib\nbase = contextlib.redirect_stdout\nclass R(base):\n    pass",
        "class A:\n    def __init__(self):\n        self._stream = 1\nr = A()\nr._stream = 'modules'",
        "import numpy as np\nnp.load('kept.npy', **{'allow_' + 'pickle': True})",
        "A = type(*['A', (), {}])",
        "import numpy as np\nnp.random.default_rng.func_globals['x']",
        "import contextlib\nclass R(contextlib.redirect_stdout):\n    _stream = 'modules'",
    ],
)
def test_a_function_that_is_handed_on_is_changed_by_no_name_that_is_not_flagged(measured, way):
    assert taken_in(with_cells(measured, [way]), measured).flags


def test_a_class_that_two_cells_change_together_is_shown_to_a_person(measured):
    raw = with_cells(measured, ["kind = Log", "other = kind", "other.append = print"])
    assert len(taken_in(raw, measured).flags) == 1


@pytest.mark.parametrize(
    "texts",
    [
        ("import os as o", "o.listdir = lambda *of: []\no = 1"),
        ("import os as o", "if 0:\n    o = 1\no.listdir = print"),
        ("import glob", "glob.os.listdir = print\nglob = 1"),
        ("import os as o", "other = [o]\no = 1", "other[0].listdir = print"),
        ("import enum as e", "class A:\n    e = e\n    bltns = 1\nA.e.bltns.eval('x')"),
        ("import enum as e", "class A:\n    bltns = 1\nx = e\nx.bltns.eval('x')", "def f(e): pass"),
        ("import enum as e", "def g(e):\n    def h():\n        global e\n        return e\n    return h()\ng(1).name"),
        ("import csv as c", "def f(): pass\nc = 1", "class A:\n    enum = bltns = 1\nx = c.re\nx.enum.bltns.eval('x')"),
        (
            "import dataclasses as d",
            "class A:\n    def f(self):\n        self._create_fn = 1\nd._create_fn('f', [], ['x'])",
        ),
    ],
)
def test_a_module_whose_name_gets_something_else_later_is_one_before(measured, texts):
    raw = with_cells(measured, texts)
    assert len(taken_in(raw, measured).flags) == 1


FOUND = json.loads(Path(__file__).with_name("roundabout.json").read_text())  # {name: cells} by readers of the code


@pytest.mark.parametrize("way", FOUND)
def test_a_way_that_a_reader_found_is_shown_to_a_person(measured, way):
    assert len(taken_in(with_cells(measured, FOUND[way]), measured).flags) == 1


def test_a_given_function_of_another_version_is_the_lessons_own(measured):
    """A notebook of before a lesson's renewal has the former one; nobody is to look at each of a class."""
    clean = taken(measured, f"{RIGHT}\n\n{MADE_UP}\nprint(double(2))")
    assert clean.flags == [] and any("its own text is used: `doubled`" in note for note in clean.notes)
    (cell,) = [cell for cell in clean.notebook.cells if cell.id == "double"]
    assert GIVEN.strip() in cell.source and cell.source.endswith("\nprint(double(2))")


def test_a_given_function_in_a_cell_that_is_indented_as_a_whole_is_renewed_in_its_place(measured):
    answer = textwrap.indent(f"{RIGHT}\n\n{MADE_UP}", "    ")
    notebook = submission(measured, {"double": answer})
    assert graded(notebook, measured).report.automatic == (3, 3)


def test_a_given_function_that_is_defined_without_end_is_not_put_in_as_often(measured):
    clean = taken(measured, RIGHT + f"\n{MADE_UP}" * 1000)
    assert sum(len(cell.source) for cell in clean.notebook.cells) < 200_000 and len(clean.flags) == 1


@pytest.mark.parametrize(
    ("file", "loads"),
    [
        ("autoreload.py", "%load_ext autoreload"),
        ("google/colab.py", "try:\n    import google.colab\nexcept ImportError:\n    pass"),
    ],
)
def test_a_file_of_the_notebooks_takes_the_place_of_no_module_that_a_cell_may_import(measured, file, loads, boxed):
    cheat = "import sys\nsys.modules['__main__'].__dict__['drill'] = lambda function, n: [[n, 2 * n]]"
    raw = with_cells(
        measured, ["import os\nos.makedirs('google', exist_ok=True)", f"%%writefile {file}\n{cheat}", loads], NO_ANSWER
    )
    report = boxed(raw, measured).report
    assert report.automatic == (0, 3) or not probe().works


BY_A_TEXT = {
    "a plot's backend": "import matplotlib.pyplot as plt\nplt.rcParams['backend'] = 'mod' + 'ule://own'\nplt.figure()",
    "a backend that is asked for": "import matplotlib\nmatplotlib.use('mod' + 'ule://own')",
    "a class's module": "import multiprocessing\nclass A:\n    __module__ = 'own'\n"
    "multiprocessing.SimpleQueue().put(A)",
    "what help is asked for": "help('own')",
}


@pytest.mark.parametrize("way", BY_A_TEXT)
def test_no_library_imports_a_file_of_the_notebooks(measured, way, boxed):
    cheat = "import sys\nsys.modules['__main__'].__dict__['drill'] = lambda function, n: [[n, 2 * n]]"
    raw = with_cells(
        measured, [f"with open('own.py', 'w') as file:\n    file.write({cheat!r})", BY_A_TEXT[way]], NO_ANSWER
    )
    report = boxed(raw, measured).report
    assert report.automatic == (0, 3) or not probe().works


def test_libraries_import_and_make_what_they_need(measured, boxed):
    uses = (
        "import dataclasses, collections, typing, statistics, scipy.stats, asyncio, logging.config, ipywidgets",
        "@dataclasses.dataclass(order=True)\nclass A:\n    x: 'int' = 1\nP = collections.namedtuple('P', 'a b')\n"
        "class N(typing.NamedTuple):\n    a: 'int'",
        "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()",
        "%matplotlib inline\n%timeit -n1 -r1 print('a  b', double(3))",
        "import setuptools",
        "help(list)\nlist.index?",
        "import concurrent.futures, multiprocessing\nwith concurrent.futures.ProcessPoolExecutor(1) as pool:\n"
        "    print(pool.submit(pow, 2, 3).result())",
        "import tensorflow as tf\n@tf.function\ndef f(x):\n    for i in tf.range(3):\n        x += i\n    return x\n"
        "print(f(tf.constant(1)))",
    )
    raw = with_cells(measured, uses)
    graded_ = boxed(raw, measured)
    assert graded_.report.automatic == (3, 3) and len(graded_.report.flags) == 1  # setuptools is not known
    errors = [o for cell in graded_.notebook.cells for o in cell.get("outputs", ()) if o.output_type == "error"]
    assert errors == []


NOTHING_ELSE = {  # what runs is what was read
    "what is local to Python alone": 'def notes():\n    """Some\n    words."""\n    def drill(function, n):\n'
    f'        return {LIST}\n    text = "a \\\n>>>     b"\n%time 3',
    "a comment that ends in Unicode's way": f"%time 3\n# a note\u2028drill = lambda f, n: {LIST}",
    "a body that ends in Unicode's way": f"%%time\n# a note\u2028drill = lambda f, n: {LIST}",
}


@pytest.mark.parametrize("text", NOTHING_ELSE.values(), ids=NOTHING_ELSE)
def test_nothing_runs_but_what_was_read(measured, text, boxed):
    raw = with_cells(measured, [text], NO_ANSWER)
    report = boxed(raw, measured).report
    assert report.automatic == (0, 3)


@pytest.mark.parametrize("form", [" {}\n\n{}", "\n  {}\n{}", "\t{}\n\t{}", " {}\n {}"])
def test_an_answer_that_begins_further_in_is_read_as_ipython_reads_it(measured, form, boxed):
    """Colab's takes what stands before the first word off each line that begins with it."""
    answer = form.format("def double(x): return x + x", "def more(x): return 3 * x")
    report = boxed(submission(measured, {"double": answer}), measured).report
    assert report.automatic == (3, 3) or not probe().works
    assert report.flags == []


LATER = {
    "a sign of another Python's": ("from __future__ import barry_as_FLUFL", f"1 <> 2\ndrill = lambda f, n: {LIST}"),
    "numbers of many digits below a magic": (
        "import sys\nsys.set_int_max_str_digits(0)",
        f"%%time\n# a note\u2028%pip install \\\ndrill=lambda f, n: {LIST}\n# more\u2028%env A \\\n" + "7" * 5000,
    ),
}


@pytest.mark.parametrize("way", LATER)
def test_what_another_cell_makes_python_is_no_way_around(measured, way, boxed):
    raw = with_cells(measured, LATER[way], NO_ANSWER)
    report = boxed(raw, measured).report
    assert report.flags or report.automatic == (0, 3)


SETTINGS = {
    "warnings that are errors": ("import warnings\nwarnings.simplefilter('error')", "'\\d'"),
    "numbers of few digits": ("import sys\nsys.set_int_max_str_digits(640)", "7" * 700),
}


@pytest.mark.parametrize("setting", SETTINGS)
def test_what_is_python_does_not_depend_on_a_setting_of_the_kernels(measured, setting, boxed):
    sets, odd = SETTINGS[setting]
    text = f"# a note\u2028%env A \\\n{odd}\n# more\u2028%time 1\u2028drill = lambda f, n: {LIST}\n"
    raw = with_cells(measured, [sets, text], NO_ANSWER)
    report = boxed(raw, measured).report
    assert report.automatic == (0, 3) or not probe().works


def test_no_process_of_the_notebooks_can_send_it_a_cell(measured, boxed):
    sends = (
        "import glob\nfrom jupyter_client import BlockingKernelClient\n"
        "client = BlockingKernelClient()\n"
        "for found in glob.glob('/learner/.local/share/jupyter/runtime/*') + glob.glob('/run/kernel/*.json'):\n"
        "    client.load_connection_file(found)\n"
        "client.start_channels(shell=True, iopub=False, stdin=False, hb=False, control=False)\n"
        f"client.execute('drill = lambda f, n: {LIST}')\nimport time; time.sleep(1)"
    )
    runs = f"import subprocess, sys\nprint(subprocess.run([sys.executable, '-c', {sends!r}], capture_output=True))"
    raw = with_cells(measured, [runs, "import time; time.sleep(1)"], NO_ANSWER)
    report = boxed(raw, measured).report
    assert report.automatic == (0, 3) or not probe().works


def test_a_process_that_was_there_before_gets_objects_of_the_notebooks_modules(measured, boxed):
    cells = (
        "import multiprocessing\nearly = multiprocessing.get_context('fork').Pool(1)",
        "%%writefile own.py\ndef f(x): return 2 * x",
        "import own\nprint(early.map_async(own.f, [3]).get(10))\nearly.terminate()",
    )
    answer = "def double(x):\n    return own.f(x)"
    raw = with_cells(measured, cells, answer)
    done = boxed(raw, measured)
    assert done.report.automatic == (3, 3)
    assert "[6]" in nbformat.writes(done.notebook)


OWN_IMPORTS = {
    "import": "import own",
    "from": "from own import FACTOR\nimport sys\nown = sys.modules['own']",
    "importlib": "import importlib\nown = importlib.import_module('own')",
    "a package's part": "import lib.part as own",
    "again": "import importlib, own\nown = importlib.reload(own)",
    "with what it imports": "import other\nown = other.own",
    "in a function": "def load():\n    import own\n    return own\nown = load()",
}


@pytest.mark.parametrize("way", OWN_IMPORTS)
def test_the_notebook_imports_what_it_wrote(measured, way, boxed):
    texts = ["import os\nos.makedirs('lib', exist_ok=True)"]
    texts += [f"%%writefile {file}.py\nFACTOR = 2" for file in ("own", "lib/part")]
    texts += ["%%writefile other.py\nimport own", OWN_IMPORTS[way]]
    raw = with_cells(measured, texts, "def double(x):\n    return own.FACTOR * x", 1)
    assert boxed(raw, measured).report.automatic == (3, 3)


def test_who_asks_whether_this_is_colab_hears_no(measured, boxed):
    asks = "import sys\nif 'google.colab' in sys.modules:\n    import google.colab\nFACTOR = 2"
    raw = with_cells(measured, [asks], "def double(x):\n    return FACTOR * x", 1)
    assert boxed(raw, measured).report.automatic == (3, 3)


def test_given_functions_in_many_cells_are_put_in_as_far_as_there_is_room(measured):
    notebook = nbformat.reads(submission(measured, {"double": RIGHT}).decode(), as_version=4)
    made_up = 'def doubled(n):\n    """Given, for the checks: """\n' * 20
    for number in range(300):
        notebook.cells.insert(last_check(notebook), nbformat.v4.new_code_cell(f"{made_up}x{number} = 1"))
    watch = Stopwatch()
    clean = taken_in(nbformat.writes(notebook).encode(), measured)
    assert watch.seconds() < 10 and len(clean.flags) == 1


def test_a_helper_of_a_given_functions_name_is_the_learners_own(measured):
    own = "def doubled(n):\n    return 2 * n"
    clean = taken(measured, RIGHT, extra=own)
    assert any(cell.source == own for cell in clean.notebook.cells) and not any("own text" in n for n in clean.notes)
    assert len(clean.flags) == 1


@pytest.mark.parametrize("name", ["display", "any", "help", "hash"])
def test_a_builtin_that_looks_is_no_other_cells_function(measured, name):
    raw = with_cells(measured, [f"def {name}(kind):\n    kind.append = print", f"{name}(Log)"])
    assert len(taken_in(raw, measured).flags) == 1


HONEST = [
    "import functools\ndef timed(f):\n    @functools.wraps(f)\n    def run(*given):\n        return f(*given)\n"
    "    return run\n@timed\ndef half(x):\n    return x / 2\nhalf(3)",
    "from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor() as pool:\n"
    "    print(pool.submit(drill, double, 3).result())",
    "import threading\nthreading.Thread(target=drill, args=(double, 3)).start()",
    "import functools\ndef timed(f):\n    @functools.wraps(f)\n    async def run(*given):\n        return f(*given)\n"
    "    return run",
    "import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument('--n', type=int)\n"
    "print(parser.parse_args(['--n', '3']).n, parser.parse_args(args=[]).n)",
    "import numpy as np\nprint(np.vectorize(drill), np.mean(double(3)), [drill, double])",
    "import numpy as np\nfrom concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor() as pool:\n"
    "    print(list(pool.map(np.load, ['a.npy', 'b.npy'])), list(map(np.load, [])))",
    "import numpy as np\nimport tensorflow as tf\nfiles = tf.data.Dataset.from_tensor_slices(['a.npy'])\n"
    "rows = files.map(lambda path: tf.numpy_function(np.load, [path], tf.float32))",
    "import numpy as np\nfrom concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor() as pool:\n"
    "    jobs = [pool.submit(np.load, path) for path in ['a.npy']]\n    pool.map(np.load, ['a.npy'], chunksize=2)",
    "import numpy as np\nhelp(np.load)\nprint(np.load.__doc__)",
    "from json import load as load_json",
    "def load(*paths):\n    return [open(path).read() for path in paths]\nload(*['a', 'b'])",
    "class Tee:\n    def __init__(self, stream):\n        self._stream = stream\n    def write(self, text):\n"
    "        self._stream.write(text)",
    "import contextlib, io\nwith contextlib.redirect_stdout(io.StringIO()):\n    print(double(3))",
    "import numpy as np\nprint(np.array([f(double, 3) for f in (drill, drill)]))\nfs = [drill, double]\n"
    "print(', '.join(f.__name__ for f in fs))",
    "class Bench:\n    def __init__(self):\n        self.found = {}\n    def measure(self, f, *given):\n"
    "        self.found[f.__name__] = f(*given)\nBench().measure(drill, double, 3)",
    "import functools\ndef timed(f):\n    @functools.wraps(f)\n    def run(*given):\n        return f(*given)\n"
    "    return run\ntimed(drill)(double, 3)",
    "from concurrent.futures import ThreadPoolExecutor, as_completed\nwith ThreadPoolExecutor() as pool:\n"
    "    for job in as_completed([pool.submit(drill, double, 3)]):\n        print(job.result())",
    "import functools\ntimed = functools.partial(drill, double)\nlast = functools.lru_cache(double)",
    "def show(f, *given):\n    print(f.__name__, f(*given))\nshow(drill, double, 3)\nshow(double, 3)",
    "for f in (drill, double):\n    print(f.__name__)\nruns = {'drill': drill}\nrun = drill\nprint(run(double, 3))",
    "for klass in range(3):\n    print(klass)",
    "class Instance:\n    def __init__(self, klass):\n        self.klass = klass",
    "for i in range(3)\n    print(i)",
    "print(len([1, 2])",
    "These are my notes: list the int values of drill",
    "pip list",
    "class V:\n    def __init__(self, x):\n        self.x = x\n    def __add__(self, other):\n"
    "        return V(self.x + other.x)\n"
    "    def __getitem__(self, i):\n        return self.x[i]\n    def __lt__(self, other):\n"
    "        return self.x < other.x\n    def __exit__(self, kind, error, where):\n        self.error = error",
    "id = 3\nhelp = 'a text'\nprint(id, help)",
    "import matplotlib.pyplot as plt\nplt.plot([1], [double(2)])\nplt.rcParams['font.size'] = 9\nplt.show()",
    "%%time\ndouble(3)",
    "%time double(3)\n%timeit double(4)",
    "import timeit\nprint(timeit.timeit(lambda: double(3), number=10), timeit.repeat(lambda: double(3), number=2))",
    "time = 3",
    "run = double(3)\ntime in [run]",
    "time -= 3",
    "rep * 3",
    'def f():\n    """As in\n\n    In [3]: f()\n    """',
    "double?",
    "def f(x):\n    ...\n\nx = [...]\nx[...:]",
    "import numpy as np, tensorflow as tf\nfrom tensorflow import keras\nfrom tensorflow.keras.layers import Dense",
    "model = keras.Sequential([Dense(3, tf.nn.relu)])\nmodel.trainable = False\nmodel.layers[0].trainable = True",
    "for layer in model.layers:\n    layer.trainable = False\nbest = max(model.layers, key=len)\nbest.units = 3",
    "class A:\n    def __init__(self, x):\n        self.x, self._y = x, 1\na = A(1)\na.x = 3",
    "class M(keras.Model):\n    def __init__(self):\n        super().__init__()\n        self.d = Dense(1)",
    "def make(f):\n    m = keras.Sequential()\n    return m\nm = make(tf.nn.relu)\nm.trainable = False",
    "x = np.zeros(3)\nx[0] = 1\nx[1:] += 2\nprint(np.append(x, 1), tf.add(1, 2), np.sort(x))",
    "d = {'a': tf.float32}\nd['b'] = d.pop('a')\nd.update(c=np.inf)\nd['c'] = 1",
    "import os\nos.environ['X'] = '1'\nenv = dict(os.environ)\nenv['Y'] = '2'",
    "from time import perf_counter\nimport time\nstart = time.time()",
    "from time import time\nstart = time()",
    "def timed(f):\n    from time import time\n    start = time()\n    f()\n    return time() - start",
    "import ast\nfrom ast import literal_eval\nprint(literal_eval('[1]'), ast.literal_eval('{}'))",
    "print(getattr(double, '__name__'), type(double(3)).__name__, getattr(3, 'units', None))",
    "class Box:\n    pass\nbox = Box()\nfor name in ('a', 'b'):\n    getattr(box, name)",
    "config = tf.compat.v1.ConfigProto()\nconfig.gpu_options.allow_growth = True\nconfig.device_count['GPU'] = 0",
    "from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor() as pool:\n    pool.map(double, [1])",
    "import threading\nt = threading.Thread(target=double, args=(1,))\nt.daemon = True\nt.start()",
    "from IPython.display import HTML, display\ndisplay(HTML('x'))",
    "from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int",
    "import inspect\nprint(inspect.getsource(double))",
    "v = tf.Variable(1.)\nv.assign_add(1)\nwith tf.GradientTape() as tape:\n    y = v * v",
    "print(numbers, queue, string)\nnumbers[0] = queue.x = 1\ncopy = {}\nrandom = np.random.RandomState(1)",
    "import copy, random\nrandom.seed(1)\nrandom.shuffle([1, 2])\ncopy.deepcopy([1])",
    "print(drill, SEEN, len(SEEN), SEEN == [], f'{SEEN}')\nSEEN\nhelp(drill)\nassert not SEEN and SEEN[:1] == []",
    "isinstance(drill(double, 1), (list, Log))\ntry:\n    unused()\nexcept (Log, OSError):\n    pass",
    "import threading\ndef work(out):\n    out.append(1)\n    out[0] = 2\n"
    "threading.Thread(target=work, args=([],)).start()",
    "class MyLog(Log):\n    pass\ndef f(log: Log) -> Log:\n    return MyLog()",
    "total = 0\nfor n in range(3):\n    total += drill(double, n)[0][0]\nvalues = [1]\nvalues += [total]",
    "drill(unused, 3)\ndrill(Log, 1)",
    "import numpy as np, random, copy\ny = np.copy([1, 2])\ny[0] = 5\nz = np.repeat(y, 2)\nz[0] = 1\n"
    "d = copy.copy({'a': 1})\nd['a'] = 2\nopt = keras.optimizers.get('adam')\nopt.learning_rate = 0.1",
    "reduction = 'sum'\nloss = keras.losses.MeanSquaredError(reduction=reduction)\nprint(loss.reduction)",
    "from sys import getsizeof\nimport numpy as np\nnp.load('x.npy', allow_pickle=False)\nfor _ in range(2): pass",
    "[half := n / 2 for n in range(3)]\nprint(half, type(half), type(half) is float, {type(n) for n in [1]})",
    "class V:\n    def __init__(self, x):\n        self.x = x\n    def __eq__(self, other):\n"
    "        return self.x == other.x\n    def __setitem__(self, i, value):\n        self.x[i] = value",
    "!nvidia-smi\n!ls -l work/*.ipynb\n%who\n%env HOME\n%pip install -q scikit-learn",
    "import gc, tracemalloc, resource, argparse\nfrom types import SimpleNamespace\nfrom timeit import default_timer\n"
    "gc.collect()\nbox = SimpleNamespace(a=1)\nbox.a = 2\nprint('double' in globals(), double.__class__.__name__)",
    "class V:\n    __slots__ = ('_x',)\n    def __init__(self, x):\n        self._x = x\n"
    "    def __add__(self, other):\n        return V(self._x + other._x)",
    "%%writefile own.py\nimport importlib\nSEEN = drill = 3\nexec('x')",
    "%%timeit -n 3 -r 2\ndouble(3)",
    "%%time\n    x = 1\n    y = 2",
    "%timeit -n 3 double(3)",
    "%%capture\ndouble(3)",
    "%load_ext autoreload\n%autoreload 2\n%config InlineBackend.figure_format = 'retina'\n%env A=3\n"
    "!nvidia-smi | grep MiB",
    "import ipywidgets\nfrom IPython import display\nprint(hasattr(tf, 'queue'), hasattr(double, 'name'))",
    "modules = ['a']\nannotation = plt.annotate('x', (1, 2))\nprint(modules[0], annotation)",
    "import os\nif False:\n    os._exit(0)",
    "class V:\n    def __init__(self):\n        self.__value = 0\n    def get(self):\n        return self.__value",
    "%load_ext tensorboard\n%tensorboard --logdir logs",
    "opts = tf.data.Options()\nopts.autotune.enabled = True\n"
    "opts.experimental_distribute.auto_shard_policy = tf.data.experimental.AutoShardPolicy.DATA",
    "layers, models = tf.keras.layers, tf.keras.models\nlayers.Dense(1)\nprint(tf.__version__)",
    "class Sub:\n    def count(self):\n        self._count = getattr(self, '_count', 0) + 1",
    "class Machine:\n    def start(self, n):\n        self.n = n\ndef run(kinds):\n    machine = Machine()\n"
    "    for kind, n in kinds:\n        getattr(machine, kind)(n)",
    "from tensorflow.python.client import device_lib\n"
    "print([d.name for d in device_lib.list_local_devices() if d.device_type == 'GPU'])",
    "!pip install -q tensorflow==2.16.1 'keras>=3'\n!pip list | grep -i tensor\n!python3 --version\n!pip show keras",
    "!pip install -q tensorflow[and-cuda]  # for the card\n%pip list\n!pip freeze | grep -E 'keras|tensor'  # which\n"
    "!nvidia-smi  # what is here\n!nvcc --version\n!pip install keras==2.15.*",
    "import sys\nIN_COLAB = 'google.colab' in sys.modules\nprint('torch' not in sys.modules)",
    "IN_COLAB = 'google.colab' in str(get_ipython())\nif 'google.colab' not in str(get_ipython()):\n    print('no')",
    "timeline = []\ntimeline.append(3)\ndef draw(timeline):\n    timeline.sort()\n    return timeline[0].x",
    "%env CUDA_VISIBLE_DEVICES=0,1\n%env XLA_FLAGS=--xla_force_host_platform_device_count=4\n%set_env A=3",
    "%ls -la logs\n%reload_ext autoreload\n!rm -rf ./logs/\n!mkdir -p logs/fit\n!echo hello\n!ls logs 2>/dev/null",
    "for obj in [1, 2]:\n    print(obj)\ndef show(obj):\n    print(obj)\nobjs = [obj for obj in [1]]\n"
    "class Box:\n    def __init__(self, obj):\n        self.obj = obj",
    "print(obj, modules, annotation)",  # of another cell
    "class Net:\n    def __init__(self):\n        self.modules = []",
    "def total(vars):\n    return sum(vars)\ndef score(model):\n    loss, eval = model.evaluate([1])\n    return eval",
    "import logging\nhandler = logging.StreamHandler()\nhandler.setFormatter(logging.Formatter('%(message)s'))",
    "class V:\n    def __init__(self):\n        self.x, self.__y = 0, 0\n    def __getitem__(self, i):\n"
    "        self.x += 1\n        return [1, 2][i]\n    def __lt__(self, other):\n        return ORDER[other.x] > 1\n"
    "    def __call__(self, *args):\n        return sum(args)\n    def __exit__(self, *args):\n        pass\n"
    "class N:\n    @staticmethod\n    def __norm(x):\n        return x / 255\n    @property\n    def __size(self):\n"
    "        return 3\n    def __total(self, *xs):\n        return sum(xs)\n"
    "    def __at(self, i):\n        return self.data[i]\n"
    "class D(dict):\n    def __getattr__(self, name):\n        return self[name]",
    "class S:\n    async def __anext__(self):\n        return 1",
    "%%timeit -n1 -r1\ny = double(3)\nSHOWN = y",
    "V.__name__ = 'W'\ntotal = 0\nfor n in range(3):\n    total += n\ntotals = [0]\ntotals[0] += total",
    "count += 1\nbox.count += 1\nboxes[0].n -= 2",  # of other cells
    "%timeit -n 3 drill = 3\n%timeit -n 1 {double}\n%timeit sess.run(c, feed_dict={a: 1})\n%time d = {'a': 1}",
    "%time x = double(3)  # how long?",
    "%%time\n# How long does it take?\nx = double(3)",
    "%%capture\nprint(1)  # hidden?\nx = 100 % 7",
    "!pip install -q keras > /dev/null 2>&1\n!pip list 2>/dev/null | grep tensor\n!nvidia-smi 2>&1 | head -n 4  # what",
    "class Named(dict):\n    def __init__(self, **names):\n        super().__init__(names)\n"
    "class Other(Named):\n    def __init__(self):\n        Named.__init__(self, a=1)\nOther()",
    '%pip install --upgrade "numpy<2"\n!lscpu | grep "Model name" | head -n 2',
    "import sys, pathlib\nprint(sys.version, sys.getsizeof([]))\npathlib.Path('own.py').write_text('x = 1')\nnp.load",
]


HONEST += [
    "for cls in range(10):\n    print(cls)\nprint([sum(y == cls for y in [1, 2]) for cls in range(3)])",
    "for cls in ['a', 'b']:\n    print(cls.upper())\nfor cls in [tf.keras.optimizers.SGD]:\n    print(cls.__name__)",
    "import math\ndef best(n):\n    found = [math.inf] * n\n    found[0] = 1.0\n    more = n * [math.inf]\n"
    "    more[0] = 1.0\n    return found\nbest(3)",
    "def counts(ys):\n    for cls in set(ys):\n        print(cls, ys.count(cls))\ncounts([1])",
    "labels = [str(_) for _ in range(3)]\nprint({_: 1 for _ in labels}, sum(_ for _ in range(3)))",
    "__author__ = 'Ada'\n__all__ = ['double']",
    "import numpy as np\nlimit = LIMIT\nplt.axhline(LIMIT, color='r')\nprint(max(3, LIMIT), {'limit': LIMIT}, [LIMIT])",
    "def timed(f, *given):\n    print(f.__name__)\n    return f(*given)\ntimed(doubled, 3)\n"
    "for name, f in {'mine': doubled}.items():\n    print(name, f(2))",
    "reader = tf.train.load_checkpoint('x')\nprint(reader.get_variable_to_shape_map(), np.finfo('float16').tiny)",
]


@pytest.mark.parametrize("code", HONEST)
def test_what_honest_learners_try_is_not_flagged(measured, code):
    assert taken(measured, f"{RIGHT}\n{GIVEN}", extra=code).flags == []


@pytest.mark.parametrize(
    "code",
    [
        "LIMIT = 0",
        "for LIMIT in [0]:\n    pass",
        "for cls in [SEEN]:\n    cls.append([3, 6])",
        "for cls in [SEEN]:\n    pass",
        "class A:\n    def f(cls):\n        cls._x = 1\nfor cls in [3]:\n    pass",
        "def f():\n    cls._x = 1",
        "def f(g):\n    g.__code__ = f.__code__\nf(doubled)",
        "doubled = doubled",
        "[_ for _ in _]",
        "[exec(_) for x in [1]]",
    ],
)
def test_what_looks_like_it_is_flagged(measured, code):
    assert taken(measured, f"{RIGHT}\n{GIVEN}", extra=code).flags


@pytest.mark.parametrize("raised", ["a" + ".b" * 1500, "-" * 800 + "1"], ids=["attributes", "signs"])
def test_what_is_too_deep_to_be_written_down_is_read_all_the_same(measured, raised, boxed):
    """Nothing of the grader's own ends, and so no notebook is without a result."""
    deep = f"def other():\n    raise {raised}\n    # NotImplementedError"
    assert boxed(with_cells(measured, [deep], f"{RIGHT}\n{GIVEN}"), measured).report.automatic == (3, 3)


def test_an_emptied_cell_is_no_cell_that_nobody_can_read():
    assert not python_of("").unread


SAME = {
    "06": ["v1 = tf.compat.v1", "import tensorflow as tf\nv1 = tf.compat.v1", "from tensorflow.compat import v1"],
    "07": ["v1 = tf.compat.v1"],
    "08": ["keras = tf.keras", "import tensorflow.keras as keras", "from tensorflow import keras"],
    "10": ["keras = tf.keras\nlayers = keras.layers"],
    "11": ["dtensor = tf.experimental.dtensor", "from tensorflow.experimental import dtensor"],
}
OTHERS = {
    "06": [
        "v1 = tf.compat.v2",
        "def f(tf):\n    global v1\n    v1 = tf.compat.v1\nf(3)",
        "import numpy as tf\nv1 = tf.compat.v1",
        "class tf:\n    class compat:\n        v1 = 3\nv1 = tf.compat.v1",
        "for tf in [3]:\n    v1 = tf.compat.v1",
    ],
    "08": ["keras = tf.compat.v1.keras", "keras = tf", "import numpy as keras"],
    "11": ["dtensor = tf.experimental.numpy"],
}


def flags_of_a_cell(course, number, code):
    """Of a lesson's references, and a cell of the learner's below its imports."""
    name = next(name for name in LESSONS if name.startswith(number))
    lesson = read_lesson(course, name)
    notebook = nbformat.reads(submission(lesson, reference_answers(lesson)).decode(), as_version=4)
    place = next(i for i, cell in enumerate(notebook.cells) if "import tensorflow as tf" in cell.source) + 1
    notebook.cells.insert(place, nbformat.v4.new_code_cell(code))
    return taken_in(nbformat.writes(notebook).encode(), lesson).flags


@pytest.mark.parametrize(("number", "code"), [(number, code) for number in SAME for code in SAME[number]])
def test_a_name_that_stands_for_what_it_does_in_the_lesson_is_not_replaced(number, code, course):
    assert flags_of_a_cell(course, number, code) == []


@pytest.mark.parametrize(("number", "code"), [(number, code) for number in OTHERS for code in OTHERS[number]])
def test_a_name_that_stands_for_something_else_is(number, code, course):
    assert flags_of_a_cell(course, number, code)


@pytest.mark.parametrize("name", LESSONS)
def test_no_right_answer_of_a_bank_is_flagged(name, course):
    lesson = read_lesson(course, name)
    right = [answer for answer in read_bank(course, name) if answer.name.startswith("right_")]
    groups = [
        {exercise: answer.text for exercise, answer in group.items()}
        for group in combine(right, list(reference_answers(lesson)))
    ]
    for texts in [*groups, reference_answers(lesson)]:
        assert taken_in(submission(lesson, texts), lesson).flags == []


def test_names_that_are_given_on_backwards_are_followed_at_once():
    lines = [f" a{number}=a{number - 1}" for number in range(4000, 0, -1)]
    text = "\n".join(["def f(a0):", *lines, " a4000.x = 1", "g = f"])
    watch = Stopwatch()
    assert read(python_of(text), {}).unread and watch.seconds() < 4


@pytest.mark.few(7)
@pytest.mark.parametrize("start", ["y = 0\n", "y = (\n", "%time", "%matplotlib", "y = (\n=", "y = (\n?", "%"])
@pytest.mark.parametrize("much", ["\n", " ", "\t", " \n", "= "])
def test_much_of_nothing_is_read_at_once(start, much):
    """Expressions hold the whole grader while they look; nobody else's work goes on meanwhile."""
    watch = Stopwatch()
    read(python_of(start + much * (80_000 // len(much)) + "{x = 1"), {})
    assert watch.seconds() < 4


@pytest.mark.few(20)
@pytest.mark.parametrize(
    "start",
    ["!ls ", "!ls |", "%pip install ", "%timeit -n 3", "%time ", "%config InlineBackend.a ", "1 2 ", "= "],
)
@pytest.mark.parametrize("much", [" ", "$", "{", "(", "| ls ", "-q ", "?", " -n 1", "a", "1"])
@pytest.mark.parametrize("end", ["|", "\nx", "\n)"])
def test_a_long_line_is_read_at_once(start, much, end):
    code = f"{start}{much * (90_000 // len(much))}{end}"
    watch = Stopwatch()
    for text in (code, f'text = """\n{code}\n"""'):
        read(python_of(text), {})
    assert watch.seconds() < 3


def test_blank_lines_are_not_flagged(measured):
    assert taken(measured, RIGHT, extra="y = 0\n" + "\n" * 80_000 + "x = 1").flags == []


def test_many_cells_that_hand_names_round_are_read_at_once(measured):
    """Looking from each cell anew, at each cell that has a name, took minutes for some hundred."""
    texts = []
    for one, other in ("ab", "ba"):
        handed = ";".join(f"{one}{j}={other}{j}" for j in range(8))
        texts += [f"{handed}\n{';'.join(f'{other}{j}.x=1' for j in range(8))}\n#{i}" for i in range(100)]
    raw = with_cells(measured, [*texts, "c = Log", "b5 = c"])
    watch = Stopwatch()
    (flag,) = taken_in(raw, measured).flags
    assert "measure with `Log`" in flag
    assert watch.seconds() < 3


MANY = ",".join(f"a{number}" for number in range(12_000))
LONG = {
    "a long chain": f"f({MANY}){'.x' * 450} = 1",
    "many long chains of what changes": f"x{'.add' * 480}\n" * 12,
    "a chain of calls": f"f({MANY}){'(x)' * 450}.x = 1",
    "values in values": f"x = {'[(a := [b, ' * 12}{MANY}{'])]' * 12}",
    "functions in functions": "".join(f"{' ' * depth}def f{depth}():\n" for depth in range(20))
    + f"{' ' * 20}return 0\n" * 900,
    "many calls of a function with many parameters": f"def f({MANY}): pass\n" + "f()\n" * 1200,
}


@pytest.mark.parametrize("kind", LONG)
def test_a_long_cell_is_read_in_time_or_not_at_all(kind):
    watch = Stopwatch()
    touched([read(python_of(LONG[kind]), {})])
    assert watch.seconds() < 4


BOMBS = {
    "many changes": "x y\n" + "," * 20_000 + "f",
    "a long word before a question": "b " + "a" * 20_000 + " ?",
    "many blanks before a question": "b" + " " * 8_000 + "?",
    "many blanks in many lines": ("b" + " " * 90 + "\n") * 500 + "b ?",
    "odd quotes in what is timed": "%time b " + "'a\\" * 10_000,
    "many such lines": ("b " + "a" * 299 + " ?\n") * 25,
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_what_takes_ipython_long_is_shown_to_a_person_at_once(measured, bomb):
    watch = Stopwatch()
    assert len(taken(measured, RIGHT, extra=BOMBS[bomb]).flags) == 1
    marked(BOMBS[bomb], parse)  # what the kernel gets
    assert watch.seconds() < 5


def test_many_cells_for_ipython_are_read_as_far_as_there_is_time(measured):
    cells = [("b " + "a" * 299 + " ?\n") * 25 + f"# {number}" for number in range(60)]
    watch = Stopwatch()
    assert len(taken_in(with_cells(measured, cells), measured).flags) == 1
    assert watch.seconds() < 10


def test_what_takes_too_long_to_read_is_shown_to_a_person(measured):
    deep = LONG["a long chain"]
    assert read(python_of(deep), {}).unread
    assert len(taken_in(with_cells(measured, [deep]), measured).flags) == 1


def test_of_many_cells_no_more_are_read_than_there_is_time_for(measured, monkeypatch):
    raw = with_cells(measured, [f"y = [{number}, 2]" for number in range(50)])
    assert taken_in(raw, measured).flags == []
    monkeypatch.setattr(given, "MOST_STEPS", 300)
    assert len(taken_in(raw, measured).flags) == 1


def test_what_is_too_long_below_the_checks_hides_nothing_above_them(measured):
    raw = with_cells(measured, ["def display(kind):\n    kind.append = print", "display(Log)"])
    notebook = nbformat.reads(raw, 4)
    notebook.cells.append(nbformat.v4.new_code_cell(f"x = {'+'.join('1' * 2500)}"))
    assert read(python_of(notebook.cells[-1].source), {}).steps > given.MOST_STEPS
    assert len(taken_in(raw, measured).flags) == 1


@pytest.mark.parametrize("code", ["drill = print", "exec('x')"])
def test_what_runs_below_the_last_check_of_an_exercise_is_not_asked_about(measured, code):
    notebook = nbformat.reads(submission(measured, {"double": f"{RIGHT}\n{GIVEN}"}), 4)
    last = last_check(notebook)
    for place, flags in ((last, 1), (last + 1, 0)):
        changed = copy.deepcopy(notebook)
        changed.cells.insert(place, nbformat.v4.new_code_cell(code))
        assert len(taken_in(nbformat.writes(changed).encode(), measured).flags) == flags


def test_where_nothing_is_given_no_cell_is_read(measured, monkeypatch):
    asked = []
    monkeypatch.setattr(given, "python_of", lambda code: asked.append(code) or python_of(code))
    cells = given.Learners([nbformat.v4.new_code_cell("drill = 1")], [])
    assert [cells.may_have_replaced(cell) for cell in measured.solution.cells if cell.id != "double"]
    assert asked == []


def test_each_cell_is_read_once_however_many_exercises_ask(measured, monkeypatch):
    asked = []
    monkeypatch.setattr(given, "python_of", lambda code: asked.append(code) or python_of(code))
    solution = next(cell for cell in measured.solution.cells if cell.id == "double")
    cells = given.Learners([nbformat.v4.new_code_cell("drill = 1")], [])
    assert cells.may_have_replaced(solution) == cells.may_have_replaced(solution) == ["drill"]
    assert asked == ["drill = 1"]


def test_variables_are_measured_with_too():
    lesson = [
        "import os\nseen = []\ndef note(x): seen.append(x)\nclass Few: pass",
        "few: Few = Few()\nfor loop in []: pass",
    ]
    given = {"noted": "def noted(): return note(len(seen) + few + loop + os.getpid())"}
    assert measured_with(given, Lesson(lesson)) == ["Few", "few", "len", "note", "os", "seen"]


def test_functions_that_note_what_is_measured_are_known_and_those_that_call_them():
    lesson = Lesson(
        [
            "import os\nseen = []\nkept = {}\ntf = quiet_import()\ndef note(x): seen.append(x)",
            "def double(x): return slowly(x)\ndef slowly(x):\n    note(x)\n    return sleep(2 * x)",
            "class Keeps:\n    def keep(self, x): kept[x] = 1\ndef count():\n    global number\n    number += 1",
            "def other(x): return tf.add(x, os.environ.pop('x'))\ndef shown(x): return seen\nnumber = 0",
        ]
    )
    assert noted_by(["seen", "tf", "os"], lesson) == ["double", "note", "slowly"]
    assert noted_by(["kept", "number", "note"], lesson) == ["Keeps", "count"]
    assert noted_by(["sleep", "os"], lesson) == []


@pytest.mark.parametrize(
    ("lesson", "name", "code"),
    [
        ("05_control_dependencies", "scaled", "def scaled(old, factor):\n    return old * factor"),
        ("05_control_dependencies", "scale_slowly", "def scale_slowly(old, factor):\n    return old"),
        ("04_queues", "decode_record", "def decode_record(record):\n    return 1"),
    ],
)
def test_what_the_learners_code_is_to_call_is_not_to_be_replaced(lesson, name, code, course):
    lesson = read_lesson(course, lesson)
    raw = nbformat.reads(submission(lesson, reference_answers(lesson)).decode(), as_version=4)
    raw.cells.insert(3, nbformat.v4.new_code_cell(code))
    (flag,) = taken_in(nbformat.writes(raw).encode(), lesson).flags
    assert f"`{name}`" in flag
    raw.cells[3].source = f"print([*map({name}, [])])"
    assert not taken_in(nbformat.writes(raw).encode(), lesson).flags


def test_names_that_code_binds():
    assert bound("a = b.c = 0\ndef f():\n    global g\n    h = 0") == {"a", "f", "g"}
    assert given_functions("def f(): pass") == {}
