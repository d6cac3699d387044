"""What cells use is public, the lesson's or their own; or a person is told what it is."""

from __future__ import annotations

import ast
import json
import subprocess
import sys

import pytest

from autograder.grading.environment import leads_to_other_code
from autograder.grading.public import FILE, public_names
from autograder.grading.vouched import Known, is_module, survey, survey_of, unknown_name
from tests.pace import Stopwatch

LESSON = "import os\nimport numpy as np\nimport tensorflow as tf\nlayers = tf.keras.layers\njob.alive = job.pushers"


def unknown(code: str, *others: str) -> str:
    """What a cell uses that nobody knows, with a lesson's cell and other cells of the learner's about it."""
    cells = [survey(ast.parse(text)) for text in (code, *others)]
    return unknown_name(ast.parse(code), Known(cells, [survey_of(LESSON)]), frozenset())


def test_the_names_are_those_of_what_the_lock_installs():
    """Else: python -m autograder.authoring.public_names. Python's own differ from one version to the next."""
    program = "from autograder.authoring.public_names import collect\nfrom autograder.grading.public import written\n"
    command = [sys.executable, "-c", f"{program}import sys\nsys.stdout.write(written(collect()))"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    found, kept = json.loads(done.stdout), json.loads(FILE.read_text(encoding="utf-8"))
    assert found["packages"].keys() == kept["packages"].keys()
    for package in ("tensorflow", "keras", "keras_tuner", "numpy"):
        assert found["packages"][package] == kept["packages"][package]


def test_modules_have_their_public_names():
    packages = public_names().packages
    assert {"Dense", "Dataset", "einsum", "Session"} <= packages["tensorflow"].values
    assert {"environ", "path"} <= packages["os"].values | packages["os"].modules
    assert "modules" not in packages["sys"].values and "argv" in packages["sys"].values
    assert {"append", "numpy", "returncode", "levelname", "node_name"} <= public_names().attributes
    assert is_module("tensorflow.compat.v1.keras.layers") and is_module("concurrent.futures")
    for path in ("tensorflow.python", "enum.bltns", "multiprocessing.spawn", "keras.src", "ctypes", "sys.modules"):
        assert not is_module(path)


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("import enum\nenum.bltns.exec('')", "enum.bltns.exec"),
        ("import multiprocessing.spawn", "multiprocessing.spawn"),
        ("from multiprocessing import spawn", "multiprocessing.spawn"),
        ("from tensorflow.python.eager import context", "tensorflow.python.eager.context"),
        ("import tensorflow as t\nt.python.eager", "t.python.eager"),
        ("class A:\n    spawn = 1\nimport multiprocessing as m\nm.spawn.prepare({})", "m.spawn.prepare"),
        ("def f():\n    c = tf.io\n    return c.alive", "c.alive"),
        ("layers.alive", "layers.alive"),
        ("os.alive", "os.alive"),
        ("[].no_such", "….no_such"),
        ("match 1:\n    case A(no_such=1): pass", "no_such"),
        ("import requests", "requests"),
        ("from . import own", "..own"),
        ("tf.keras.layers.Dense(1).no_such", "….no_such"),
        ("tf.nn.no_such(1)", "tf.nn.no_such"),
        ("from types import FunctionType", "types.FunctionType"),
        ("import gc as g", "gc"),
    ],
)
def test_what_is_public_nowhere_is_named(code, name):
    assert unknown(code) == name


def test_names_of_many_modules_and_chains_without_end_are_not_read_for_minutes():
    """One name for all modules, and thousands that get a part of it, took a quarter of an hour."""
    watch = Stopwatch()
    modules = [f"{name}.{path}" for name, package in public_names().packages.items() for path in package.modules]
    many = "\n".join(f"import {path} as a" for path in modules)
    chains = "\n".join(f"x{number} = a.v1" for number in range(9000))
    assert unknown("x = 1", many, chains) == unknown("x = 1", chains) == "…"
    assert unknown("a = 1\n" + "Enum(a)\n" * 12_000) == ""
    assert unknown("x = 1", "\n".join(f"x{number} = tf.nn" for number in range(1000))) == ""
    assert watch.seconds() < 5


def test_what_another_cell_imports_is_that_module_here_too():
    assert unknown("e.alive", "import enum as e") == "e.alive"
    assert unknown("e.bltns", "import enum as e", "e = 1\nclass A:\n    bltns = 1") == "e.bltns"
    assert unknown("more.alive", "inner = tf.keras\nmore = inner.layers") == "more.alive"


@pytest.mark.parametrize(
    "code",
    [
        "layers.Dense(1).kernel\nj = layers.Dense(1)\nj.build((1, 2))",
        "from tensorflow.keras import layers as l, Model\nl.Dropout(0.5)\nModel.fit",
        "keras = tf.keras\nadam = keras.optimizers.Adam(0.1)\nadam.learning_rate = 1\nadam.variables",
        "job.alive\nrunning = job\nrunning.pushers",
        "class A:\n    limit: int = 1\n    def walk(self):\n        self.steps_done = 1\n"
        "A().steps_done\nA.limit\nA().walk()",
        "from collections import namedtuple\nP = namedtuple('P', 'rows, places')\nP(1, 2).places",
        "from types import SimpleNamespace\nbox = SimpleNamespace(wide=1)\nbox.wide",
        "import argparse\np = argparse.ArgumentParser()\np.add_argument('--learning-speed')\n"
        "p.parse_args().learning_speed",
        "import dataclasses\n@dataclasses.dataclass\nclass B:\n    weight_of_it: int\nB(1).weight_of_it",
        "try:\n    pass\nexcept tf.errors.OpError as error:\n    print(error.message, error.op, error.error_code)",
        "import subprocess\nd = subprocess.run(['ls'], capture_output=True)\nprint(d.returncode, d.stdout.decode())",
        "with tf.GradientTape() as t:\n    y = tf.Variable(1.0) ** 2\nprint(t.gradient(y, y).numpy())",
        "a = np.linalg.norm(np.zeros(3))\nr = np.random.default_rng(0)\nr.normal(size=3).astype('float32').mean()",
        "o = tf.compat.v1.RunOptions(trace_level=3)\no.trace_level\n"
        "m = tf.compat.v1.RunMetadata()\nm.step_stats.dev_stats",
        "import matplotlib.pyplot as plt\nf, ax = plt.subplots()\n"
        "ax.set_title('x')\nax.spines['top'].set_visible(False)",
        "import os.path, concurrent.futures as cf\nos.path.join('a', 'b')\ncf.ThreadPoolExecutor(2).map(len, [])",
        "from google.colab import files\nfiles.upload()",
        "x = tf.data.Dataset.range(3).batch(2, drop_remainder=True).prefetch(tf.data.AUTOTUNE)\nx.element_spec",
        "FIELDS = ['mean_of_all']\nfrom collections import namedtuple\nR = namedtuple('R', FIELDS)\nR(1).mean_of_all",
        "@tf.function\ndef g(): pass\ng.experimental_get_tracing_count()\ng.get_concrete_function().graph",
        "w = tf.zeros(3)[:, tf.newaxis]\nw.shape.as_list()\ntf.float32.as_numpy_dtype",
    ],
)
def test_what_is_public_or_their_own_is_known(code):
    assert unknown(code) == ""


ENVIRONMENTS = {
    "os.environ['PYTHONPATH'] = 'own'": True,
    "os.environ.update(LD_PRELOAD='own.so')": True,
    "os.environ.update({'TF_PLUGGABLE_DEVICE_LIBRARY_PATH': 'own'})": True,
    "os.environ |= {'HOME': 'own'}": True,
    "os.environ[name] = 'own'": True,
    "e = os.environ\ne[name] = 'own'": True,
    "change(os.environ)": True,
    "os.environ.setdefault('PYTHONSTARTUP', 'own.py')": True,
    "os.putenv('PYTHONPATH', 'own')": True,
    "from os import environ as e\ne['A'] = '1'": True,
    "from os import environ\nenviron[b] = '1'": True,
    "os.environb[b'PYTHONPATH'] = b'own'": True,
    "f(env=os.environ)": True,
    "os.environ | A()": True,
    "os.environ['OPENSSL_CONF'] = 'own'": True,
    "os.environ.update(changes)": True,
    "for os.environ['PYTHONHOME'] in ['own']: pass": True,
    "os.environ['CUDA_VISIBLE_DEVICES'] = '-1'\ndel os.environ['TF_CONFIG']": False,
    "os.environ.pop('CUDA_VISIBLE_DEVICES', None)\nos.environ.get('HOME')": False,
    "os.environ.update(OMP_NUM_THREADS='1')\nos.environ.setdefault('A', '1')": False,
    "os.environ.update({} if mask is None else {'CUDA_VISIBLE_DEVICES': mask})": False,
    "env = {**os.environ, 'PYTHONPATH': 'own'}\nenv = os.environ | {'A': '1'}\nenv = dict(os.environ)": False,
    "subprocess.run(['ls'], env=os.environ)\nprint(os.environ['PATH'], 'HOME' in os.environ)": False,
    "for name in os.environ: print(name)": False,
    "print('no')": False,
}


def test_a_function_of_the_notebooks_does_not_only_show_the_environment():
    for name, code in (("print", "print(os.environ)"), ("subprocess", "subprocess.run(env=os.environ)")):
        assert leads_to_other_code(ast.parse(code), frozenset({name})) and not leads_to_other_code(ast.parse(code))


@pytest.mark.parametrize("code", ENVIRONMENTS)
def test_what_programs_would_find_their_code_by_is_not_to_be_set(code):
    assert leads_to_other_code(ast.parse(code)) == ENVIRONMENTS[code]
