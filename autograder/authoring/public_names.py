"""The public names of the modules that a learner's cell may use: what :mod:`autograder.grading.harmless` reads by.

``python -m autograder.authoring.public_names`` writes them anew, from the versions that are installed. A test says when
that is due.
"""

from __future__ import annotations

import array
import builtins
import csv
import dis
import hashlib
import importlib
import inspect
import itertools
import operator
import os
import random
import re
import select
import socket
import tempfile
import threading
import time
import zlib
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np
import psutil
from matplotlib import pyplot as plt

from ..grading.public import FILE, Package, Public, written

# Python's and others' modules, each by itself; a module in one of these counts only if it is named here, too.
MODULES = (
    "IPython.display abc argparse array asyncio asyncio.subprocess base64 bisect calendar cmath collections "
    "collections.abc concurrent.futures contextlib contextvars copy csv dataclasses datetime decimal enum errno "
    "fractions functools glob google google.protobuf google.protobuf.json_format google.protobuf.message "
    "google.protobuf.text_format gzip hashlib heapq html io ipywidgets itertools json keras_tuner logging math "
    "matplotlib matplotlib.animation matplotlib.axes matplotlib.cm matplotlib.colors matplotlib.dates "
    "matplotlib.figure matplotlib.gridspec matplotlib.lines matplotlib.patches matplotlib.pyplot matplotlib.style "
    "matplotlib.ticker multiprocessing multiprocessing.pool numbers numpy numpy.char "
    "numpy.exceptions numpy.fft numpy.lib numpy.lib.stride_tricks numpy.linalg numpy.ma numpy.polynomial "
    "numpy.random numpy.rec numpy.testing operator os os.path pathlib platform pprint psutil queue random re "
    "resource scipy scipy.linalg scipy.optimize scipy.special scipy.stats secrets select selectors shutil signal "
    "sklearn sklearn.datasets sklearn.ensemble sklearn.linear_model sklearn.metrics sklearn.model_selection "
    "sklearn.neighbors sklearn.preprocessing socket statistics string struct subprocess sys tempfile textwrap "
    "threading threadpoolctl time traceback tracemalloc typing unicodedata urllib.parse uuid warnings weakref "
    "zlib "
)
# Those whose public modules lie in one another: (where to begin, how a module of the public interface is called).
WHOLE = {"tensorflow": ("tensorflow._api", "tensorflow.experimental", "keras."), "keras": ("keras.",)}
PRIVATE_PARTS = ("src", "python", "proto")
# Protocol buffers, whose fields are set when a class is made.
MESSAGES = (
    "compat.v1.ConfigProto compat.v1.RunMetadata compat.v1.RunOptions compat.v1.GraphDef train.ServerDef "
    "train.ClusterDef train.Example train.SequenceExample"
)
# Of modules that say nothing about it, or too much: what somebody may need.
CHOSEN = {
    # No pickles, which are code, in pipes that others can write to: no pools of processes, queues and connections.
    "concurrent.futures": "ALL_COMPLETED BrokenExecutor CancelledError Executor FIRST_COMPLETED FIRST_EXCEPTION Future "
    "InvalidStateError ThreadPoolExecutor TimeoutError as_completed wait",
    "multiprocessing": "Barrier BoundedSemaphore Condition Event Lock Process RLock Semaphore TimeoutError "
    "active_children cpu_count current_process get_all_start_methods get_context get_start_method set_start_method",
    "multiprocessing.pool": "AsyncResult ThreadPool",
    "asyncio.subprocess": "DEVNULL PIPE Process STDOUT create_subprocess_exec create_subprocess_shell",
    "sys": "argv base_prefix byteorder exc_info executable exit flags float_info getdefaultencoding getrecursionlimit "
    "getrefcount getsizeof getswitchinterval hexversion implementation intern maxsize maxunicode platform prefix "
    "setrecursionlimit setswitchinterval stderr stdin stdlib_module_names stdout thread_info version version_info",
    "numpy.lib": "Arrayterator",
    "numpy.lib.stride_tricks": "broadcast_arrays broadcast_to sliding_window_view",
    "google": "auth drive files output userdata",
}
# What runs other programs in the place of the kernel's, or beside it with its descriptors.
OTHER_PROGRAMS = re.compile(r"exec[lv]p?e?|posix_spawnp?|spawn[lv]p?e?")
# They run what stands in files, a text or a pickle.
NOT_TAKEN = re.compile(
    r"test|measure|fetch_(?!layout).*|(?:Batchable)?ExtensionType|ForwardRef|register_tensor_conversion_function"
)
# Modules of other machines; and what a module of its own shows of the same package.
ELSEWHERE = {"google": "colab", "matplotlib": "pyplot.style pyplot.cm"}
MISSING = object()  # in place of what a module says it has and has not
PLAIN = (FunctionType, BuiltinFunctionType, MethodType)  # whose attributes nobody needs
# Attributes that objects have only once they have been made, by no code of Python's.
MADE_LATER = (
    "fun x success laddr raddr ip port fd xaxis yaxis spines upload download mount Process "  # SciPy, sockets, Colab
    "signatures python_function tb_lineno tb_next assert_consumed assert_existing_objects_matched expect_partial"
)


@dataclass
class Names:
    """What one package shows."""

    modules: set[str] = field(default_factory=set)
    values: set[str] = field(default_factory=set)
    inner: set[str] = field(default_factory=set)  # modules in these, public or not


class Collector:
    """Goes through modules, and through the classes that they show."""

    def __init__(self) -> None:
        self.packages: dict[str, Names] = defaultdict(Names)
        self.attributes: set[str] = set(MADE_LATER.split())
        self._classes: set[type] = set()

    def module(self, path: str, module: ModuleType) -> list[tuple[str, ModuleType]]:
        """Take what a module shows; the modules in it are returned."""
        root, _, inner = path.partition(".")
        above = itertools.accumulate(inner.split("."), "{}.{}".format) if inner else ()
        self.packages[root].modules |= {*above}
        modules = []
        names = (name for name in dir(module) if isinstance(_attribute(module, name), ModuleType))
        self.packages[root].inner |= {f"{inner}.{name}".lstrip(".") for name in names}
        for name in _shown(module):
            thing = _attribute(module, name)
            if isinstance(thing, ModuleType):
                modules.append((name, thing))
            elif thing is not MISSING and not NOT_TAKEN.fullmatch(name):
                self.packages[root].values.add(name)
                self.object(thing)
        return modules

    def object(self, thing: Any) -> None:
        """Take the attributes that an object has, or that objects of a class have."""
        kind = thing if isinstance(thing, type) else type(thing)
        if kind in self._classes or issubclass(kind, PLAIN):
            return
        self._classes.add(kind)
        static = ((name, inspect.getattr_static(kind, name, None)) for name in _without_private(dir(kind)))
        self.attributes |= {name for name, value in static if not isinstance(value, ModuleType)}
        for function in (value for base in kind.__mro__ for value in vars(base).values() if callable(value)):
            if code := getattr(inspect.unwrap(function), "__code__", None):
                stored = (step.argval for step in dis.get_instructions(code) if step.opname == "STORE_ATTR")
                self.attributes |= set(_without_private(stored))

    def message(self, kind: Any) -> None:
        """Take the fields of a protocol buffer, and of those in it."""
        waiting, seen = [kind.DESCRIPTOR], set()
        while waiting:
            descriptor = waiting.pop()
            if descriptor.full_name not in seen:
                seen.add(descriptor.full_name)
                self.attributes |= {each.name for each in descriptor.fields}
                self.attributes |= {value.name for kind in descriptor.enum_types for value in kind.values}
                waiting += [each.message_type for each in descriptor.fields if each.message_type]

    def whole(self, root: str, beginnings: tuple[str, ...]) -> None:
        """Take a package and the public modules in it."""
        waiting: list[tuple[str, ModuleType, tuple[ModuleType, ...]]] = [(root, importlib.import_module(root), ())]
        while waiting:
            path, module, above = waiting.pop()
            for name, inner in self.module(path, module):
                home, again = _name_of(inner), name in ("compat", "v1", "v2") and f".{name}" in path
                is_public = home.startswith(beginnings) and "__" not in home and name not in PRIVATE_PARTS
                if is_public and not again and inner not in above:
                    waiting.append((f"{path}.{name}", inner, (*above, module)))


def _shown(module: ModuleType) -> list[str]:
    """The names that a module says it shows, or that are its own."""
    if said := CHOSEN.get(module.__name__, "").split() or getattr(module, "__all__", None):
        return _without_private(said)
    return [name for name in _without_private(dir(module)) if _is_its_own(_attribute(module, name), module)]


def _is_its_own(thing: Any, module: ModuleType) -> bool:
    home = _name_of(thing) if isinstance(thing, ModuleType) else getattr(thing, "__module__", None)
    return not isinstance(home, str) or home.startswith("_") or home.split(".")[0] == module.__name__.split(".")[0]


def _name_of(module: ModuleType) -> str:
    try:
        return module.__name__
    except AttributeError:  # a module that is loaded late and says that it has none: tf.keras in tf.compat.v1
        return ""


def _attribute(module: ModuleType, name: str) -> Any:
    try:
        return getattr(module, name)
    except Exception:  # what an old name says instead, or a part that is not installed
        return MISSING


def _without_private(names: Any) -> list[str]:
    return [name for name in names if not name.startswith("_") and not OTHER_PROGRAMS.fullmatch(name)]


def examples() -> list[Any]:
    """Objects of classes that no module shows, and the classes that are builtins."""
    import tensorflow as tf

    function = tf.function(lambda: 1)
    pool = ThreadPoolExecutor(1)
    with pool, socket.socket() as listening:
        made = [tf.constant(1.0), tf.Variable(1.0), tf.random.Generator.from_seed(1), function]
        made += [function.get_concrete_function(), tf.data.Dataset.range(1), iter(tf.data.Dataset.range(1))]
        made += [threading.Lock(), threading.RLock(), listening, pool.submit(int), hashlib.sha256(), zlib.compressobj()]
        made += [
            re.compile(""),
            re.match("", ""),
            Path().stat(),
            next(os.scandir(".")),
            array.array("i"),
            random.Random(),
        ]
        made += [np.float32(1), np.arange(1), np.iinfo("int8"), np.finfo("float32"), itertools.count()]
        made += [csv.reader([]), select.epoll(), time.localtime(), lru_cache(int).cache_info()]
        made += [psutil.Process().memory_info(), psutil.Process().cpu_times(), psutil.virtual_memory()]
        axes = plt.figure().add_subplot()
        made += [axes, axes.xaxis, axes.spines, axes.plot([1])[0], axes.imshow([[1]]), axes.text(1, 1, "x")]
        made += [axes.bar([1], [1]), axes.legend(["x"]), axes.figure.canvas, axes.figure.colorbar(axes.imshow([[1]]))]
    plt.close()
    with tempfile.TemporaryDirectory() as folder:
        path = tf.train.Checkpoint(number=made[1]).write(f"{folder}/checkpoint")
        made += [tf.train.load_checkpoint(path), tf.train.Checkpoint(number=made[1]).read(path)]
    return [*made, *(kind for name, kind in vars(builtins).items() if isinstance(kind, type) and name[0] != "_")]


def collect() -> Public:
    """All names, from the versions that are installed."""
    import tensorflow as tf

    collector = Collector()
    for path in MODULES.split():
        collector.module(path, importlib.import_module(path))
    for root, beginnings in WHOLE.items():
        collector.whole(root, beginnings)
    for thing in examples():
        collector.object(thing)
    collector.packages["os"].values.add("_exit")  # it has its place in the documentation
    for root, names in ELSEWHERE.items():
        collector.packages[root].modules |= set(names.split())
        collector.packages[root].values |= set(CHOSEN.get(root, "").split())
    for kind in MESSAGES.split():
        collector.message(operator.attrgetter(kind)(tf))
    return Public(
        {name: _package(names) for name, names in collector.packages.items()}, frozenset(collector.attributes)
    )


def _package(names: Names) -> Package:
    hidden = {path for path in names.inner - names.modules if path.rpartition(".")[2] in names.values}
    return Package(frozenset(names.modules), frozenset(names.values), frozenset(hidden))


if __name__ == "__main__":
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    FILE.write_text(written(collect()), encoding="utf-8")
