"""Values as JSON text and back, without pickle: the only thing that a learner's kernel and the checks exchange.

This file also runs inside the learner's kernel, sent as text: it imports the standard library alone, and finds NumPy
and TensorFlow only where the kernel has loaded them. Types are compared exactly (``type(value) is list``), so that an
object that only claims to be a list is not taken for one. The decoder trusts nothing: whatever the text, it returns a
value made of the types below or raises :class:`CodecError`.

A value is null, a bool, a text, or ``[tag, ...]``. JSON numbers and objects do not occur: integers travel as hex text,
floats as ``float.hex``, arrays as ``.npy``. A named tuple arrives as a plain one. What else has no tag becomes an
:class:`Unreadable` with its class's name.
"""

from __future__ import annotations

import base64
import builtins
import collections
import importlib
import io
import json
import math
import re
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
    from typing import NoReturn

MAX_TEXT = 16 * 2**20  # characters of a whole value's JSON
MAX_DEPTH = 40
MAX_ITEMS = 200_000
MAX_INT = 16_384  # hex digits
MAX_NAME = 200
MAX_MESSAGE = 4_000  # characters of an error's message

ADVICE = "return numbers, text, lists, dicts or arrays"
CONTAINERS: dict[str, Callable[[list[Any]], Any]] = {
    "list": list,
    "tuple": tuple,
    "set": set,
    "frozenset": frozenset,
    "deque": collections.deque,
}
MAPPINGS: dict[str, Callable[[list[tuple[Any, Any]]], Any]] = {
    "dict": dict,
    "OrderedDict": collections.OrderedDict,
    "defaultdict": lambda pairs: collections.defaultdict(None, pairs),
    "Counter": lambda pairs: collections.Counter(dict(pairs)),
}
CONTAINER_TAGS: dict[object, str] = {kind: tag for tag, kind in CONTAINERS.items()}
MAPPING_TAGS: dict[object, str] = {
    dict: "dict",
    collections.OrderedDict: "OrderedDict",
    collections.defaultdict: "defaultdict",
    collections.Counter: "Counter",
}
NUMPY_KINDS = "biufcSUmM"  # no objects, no records
# kinds of numbers that NumPy itself lacks: {name: the whole number of the same size that carries the bits}
EXTENSION_DTYPES = {"bfloat16": "uint16", "float8_e4m3fn": "uint8", "float8_e5m2": "uint8"}
MESSAGES = {  # protobuf messages that may travel, and the modules that define them
    "tensorflow/core/framework/graph_pb2": ["GraphDef"],
    "tensorflow/core/framework/node_def_pb2": ["NodeDef"],
    "tensorflow/core/framework/attr_value_pb2": ["AttrValue"],
    "tensorflow/core/framework/tensor_pb2": ["TensorProto"],
    "tensorflow/core/framework/tensor_shape_pb2": ["TensorShapeProto"],
    "tensorflow/core/framework/step_stats_pb2": ["StepStats", "DeviceStepStats", "NodeExecStats"],
    "tensorflow/core/framework/variable_pb2": ["VariableDef"],
    "tensorflow/core/framework/device_attributes_pb2": ["DeviceAttributes"],
    "tensorflow/core/protobuf/config_pb2": [
        *("ConfigProto", "GPUOptions", "GraphOptions", "OptimizerOptions", "RunOptions", "RunMetadata"),
        *("ThreadPoolOptionProto", "SessionMetadata"),
    ],
    "tensorflow/core/protobuf/rewriter_config_pb2": ["RewriterConfig"],
    "tensorflow/core/protobuf/cluster_pb2": ["ClusterDef", "JobDef"],
    "tensorflow/core/protobuf/device_filters_pb2": ["ClusterDeviceFilters"],
    "tensorflow/core/protobuf/tensorflow_server_pb2": ["ServerDef"],
    "tensorflow/core/protobuf/meta_graph_pb2": ["MetaGraphDef"],
    "tensorflow/core/protobuf/queue_runner_pb2": ["QueueRunnerDef"],
    "tensorflow/core/protobuf/saver_pb2": ["SaverDef"],
    "tensorflow/core/example/example_pb2": ["Example", "SequenceExample"],
}
MESSAGE_MODULES = {
    f"tensorflow.{name}": module.replace("/", ".") for module, names in MESSAGES.items() for name in names
}
# raised through a stand-in, these would end a loop or generator of the check instead of the check
NOT_AS_THEMSELVES = ("StopIteration", "StopAsyncIteration", "GeneratorExit")


class CodecError(Exception):
    """A text that is no value, or a value that has no text; the message is for people."""


class UnsupportedValue(TypeError):
    """A check used a value that could not travel; the message says what to return instead."""


def _refuse(self: Unreadable, *args: object, **kwargs: object) -> NoReturn:
    raise UnsupportedValue(self._advice)


class Unreadable:
    """Stands for a value that could not travel: it has the class's name, and every use of it says so."""

    _advice = ADVICE

    def __repr__(self) -> str:
        return f"<{self._advice}>"

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)  # Python's own look-ups, such as copying, expect this
        raise UnsupportedValue(self._advice)

    __hash__ = object.__hash__


for _name in (
    *("eq", "ne", "lt", "le", "gt", "ge", "bool", "len", "iter", "contains", "getitem", "call", "int", "float"),
    *("index", "add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv", "neg", "abs", "array", "enter"),
):
    setattr(Unreadable, f"__{_name}__", _refuse)


def unreadable(name: str, reason: str = "", instead: str = f"; {ADVICE}") -> Unreadable:
    """A stand-in for a value of a class called ``name`` (with its module); ``instead`` says what to return."""
    advice = f"your function returned {reason or _with_article(name)}{instead}"
    made: Unreadable = type(name.rpartition(".")[2], (Unreadable,), {"_advice": advice, "__module__": "learner"})()
    return made


def _with_article(name: str) -> str:
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


# ---------------------------------------------------------------------------------------------------------- encode


def encode(value: object, strict: bool = False) -> str:
    """The JSON text (ASCII) of a value.

    Args:
        value: anything.
        strict: raise for what cannot travel, instead of sending its class's name.

    Raises:
        CodecError: it is too large, or ``strict`` and it has a part that cannot travel.
    """
    text = json.dumps(_Encoder(strict).node(value, 0), ensure_ascii=True, separators=(",", ":"))
    if len(text) > MAX_TEXT:
        raise CodecError(f"a value of over {MAX_TEXT >> 20} MiB")
    return text


def encode_or_say(value: object) -> str:
    """The text of a value; for one that is too large, of an :class:`Unreadable` that says so."""
    try:
        return encode(value)
    except CodecError as error:
        return json.dumps(["unreadable", class_name(type(value)), str(error)])


def joined(*texts: str) -> str:
    """The text of a tuple of values whose texts are given."""
    return f'["tuple",[{",".join(texts)}]]'


class _Encoder:
    def __init__(self, strict: bool) -> None:
        self.strict = strict
        self.items = self.size = 0

    def node(self, value: Any, depth: int) -> Any:
        self.spend(8)
        self.items += 1
        if self.items > MAX_ITEMS:
            raise CodecError(f"a value of over {MAX_ITEMS} parts")
        kind = type(value)
        if value is None or kind is bool:
            return value
        if kind is str:
            self.spend(len(value))
            return value
        if kind is int:
            return self.whole(value)
        if kind is float:
            return ["float", value.hex()]
        if kind is complex:
            return ["complex", value.real.hex(), value.imag.hex()]
        if kind is bytes or kind is bytearray:
            return [kind.__name__, self.octets(value)]
        if kind is range:
            return ["range", self.whole(value.start), self.whole(value.stop), self.whole(value.step)]
        if depth >= MAX_DEPTH:
            return self.unknown(kind, f"a value nested more than {MAX_DEPTH} deep")
        if kind in CONTAINER_TAGS:
            return [CONTAINER_TAGS[kind], [self.node(part, depth + 1) for part in value]]
        if kind in MAPPING_TAGS:
            pairs = [[self.node(key, depth + 1), self.node(part, depth + 1)] for key, part in value.items()]
            return [MAPPING_TAGS[kind], pairs]
        if isinstance(value, tuple) and type(getattr(kind, "_fields", None)) is tuple:  # a named one
            return ["tuple", [self.node(part, depth + 1) for part in tuple.__iter__(value)]]
        if isinstance(value, BaseException):
            return self.error(value)
        made = self.numpy(value, kind) or self.tensorflow(value, kind) or self.message(value, kind)
        return made or self.unknown(kind)

    def spend(self, size: int) -> None:
        self.size += size
        if self.size > MAX_TEXT:
            raise CodecError(f"a value of over {MAX_TEXT >> 20} MiB")

    def whole(self, value: int) -> list[str]:
        if value.bit_length() > 4 * MAX_INT:
            raise CodecError(f"a whole number of over {MAX_INT} hex digits")
        self.spend(value.bit_length() // 4)
        return ["int", format(value, "x")]

    def octets(self, value: bytes | bytearray) -> str:
        self.spend(len(value) * 4 // 3)
        return base64.b64encode(value).decode("ascii")

    def unknown(self, kind: type, reason: str = "") -> list[str]:
        name = class_name(kind)
        if self.strict and issubclass(kind, Unreadable):  # it came from a learner's function: not the check's fault
            raise UnsupportedValue(kind._advice)
        if self.strict:
            raise CodecError(f"{reason or _with_article(name)} cannot be passed to a learner's function")
        return ["unreadable", name, reason]

    def error(self, error: BaseException) -> list[Any]:
        """Class (with its known bases), message, and the plain arguments that make an error of the same text."""
        bases = [[_text(base.__module__, MAX_NAME), _text(base.__qualname__, MAX_NAME)] for base in type(error).__mro__]
        message = getattr(error, "message", None) if "tensorflow" in str(type(error).__module__) else None
        message = _text(message if type(message) is str else _safe_str(error), MAX_MESSAGE)
        arguments = None
        if all(argument is None or type(argument) in (str, int, bool) for argument in error.args[:6]):
            try:
                arguments = _Encoder(True).node(tuple(error.args[:6]), 0)
            except CodecError:
                arguments = None
            if len(json.dumps(arguments)) > 4 * MAX_MESSAGE:
                arguments = None
        self.spend(len(message))
        bases = [base for base in bases if base[1] not in ("object", "BaseException")][:20]
        return ["error", bases or [["builtins", "BaseException"]], message, arguments]

    def numpy(self, value: Any, kind: type) -> list[str] | None:
        np = sys.modules.get("numpy")
        if np is None:
            return None
        if kind is np.ndarray:
            return self.array(np, value, "array")
        if isinstance(value, np.generic) and kind in _scalar_types(np):
            return self.array(np, np.asarray(value), "scalar")
        if isinstance(value, np.dtype):
            name = value.name if value.name in EXTENSION_DTYPES else value.str
            return ["dtype", name] if value.kind in NUMPY_KINDS or value.name in EXTENSION_DTYPES else None
        return None

    def array(self, np: ModuleType, value: Any, tag: str) -> list[str]:
        if value.dtype.name in EXTENSION_DTYPES:
            name = value.dtype.name
            bits = np.ascontiguousarray(value).reshape(value.shape).view(EXTENSION_DTYPES[name])
            return [tag, name, self.npy(np, bits)]
        if value.dtype.kind not in NUMPY_KINDS or not value.dtype.itemsize:
            return self.unknown(type(value), f"an array whose elements are {_with_article(value.dtype.name)}")
        return [tag, "", self.npy(np, value)]

    def npy(self, np: ModuleType, value: Any) -> str:
        self.spend(value.nbytes * 4 // 3)
        file = io.BytesIO()
        np.lib.format.write_array(file, value, version=(1, 0), allow_pickle=False)
        return self.octets(file.getvalue())

    def tensorflow(self, value: Any, kind: type) -> list[Any] | None:
        module = str(getattr(kind, "__module__", ""))
        if "tensorflow" not in sys.modules or not module.startswith(("tensorflow.", "keras.")):
            return None
        tf = sys.modules["tensorflow"]
        if kind is tf.DType:
            return ["tf.DType", value.name]
        if kind is tf.TensorShape:
            sizes = None if value.rank is None else [size if size is None else self.whole(size) for size in value]
            return ["tf.TensorShape", sizes]
        if kind is tf.Graph:
            return ["tf.Graph", self.octets(value.as_graph_def().SerializeToString())]
        of_keras = kind.__name__ == "Variable" and module.startswith("keras.")  # model.weights holds them
        if of_keras or kind.__name__ in ("EagerTensor", "ResourceVariable"):
            return self.tensor(value.numpy(), kind)
        return None

    def tensor(self, value: Any, kind: type) -> list[Any]:
        """A tensor's numbers as an array; one of texts as an array of bytes."""
        np = sys.modules["numpy"]
        if type(value) is bytes:
            return ["texts", [], [self.octets(value)]]
        if type(value) is np.ndarray and value.dtype.kind == "O":
            parts = value.ravel().tolist()
            if all(type(part) is bytes for part in parts):
                return ["texts", [self.whole(size) for size in value.shape], [self.octets(part) for part in parts]]
            return self.unknown(kind)
        return self.array(np, np.asarray(value), "array")

    def message(self, value: Any, kind: type) -> list[str] | None:
        name = getattr(getattr(kind, "DESCRIPTOR", None), "full_name", None)
        if type(name) is not str or name not in MESSAGE_MODULES or kind is not _message_class(name):
            return None
        return ["message", name, self.octets(value.SerializeToString())]


def class_name(kind: type) -> str:
    """``pandas.DataFrame`` for a class of a package, its bare name for one of the notebook or of Python itself."""
    module, name = _text(kind.__module__, MAX_NAME), _text(kind.__qualname__, MAX_NAME)
    package = module.split(".")[0]
    return name if package in ("builtins", "__main__") else f"{package}.{name}"


def _text(value: object, limit: int) -> str:
    return value[:limit] if type(value) is str else "?"


def _safe_str(error: BaseException) -> str:
    try:
        text = str(error)
        return text if type(text) is str else ""
    except BaseException:
        return ""


def _scalar_types(np: ModuleType) -> set[type]:
    return set(np.sctypeDict.values()) | {np.dtype(name).type for name in EXTENSION_DTYPES if _known(np, name)}


def _known(np: ModuleType, name: str) -> bool:
    try:
        return bool(np.dtype(name))
    except TypeError:  # ml_dtypes is not loaded
        return False


# ---------------------------------------------------------------------------------------------------------- decode


def decode(text: str) -> Any:
    """The value of a text made by :func:`encode`.

    Raises:
        CodecError: whatever else it is.
    """
    if type(text) is not str or len(text) > MAX_TEXT + 10_000:  # an answer is a little longer than its value
        raise CodecError("the answer is no text, or too long")
    try:
        tree = json.loads(text, parse_int=_no, parse_float=_no, parse_constant=_no, object_pairs_hook=_no)
        return _Decoder().value(tree, 0)
    except CodecError:
        raise
    except Exception as error:  # a decoder that meets hostile text fails in more ways than can be listed
        raise CodecError(f"the answer is no value ({type(error).__name__})") from None


def _no(_: object) -> NoReturn:
    raise CodecError("the answer has a part that no value has")


class _Decoder:
    def __init__(self) -> None:
        self.items = 0

    def value(self, tree: Any, depth: int) -> Any:
        self.items += 1
        if depth > MAX_DEPTH + 4 or self.items > 2 * MAX_ITEMS:
            raise CodecError("the answer is nested too deeply, or has too many parts")
        if tree is None or type(tree) in (bool, str):
            return tree
        if type(tree) is not list or not tree or type(tree[0]) is not str:
            raise CodecError("the answer has a part without a tag")
        tag, rest = tree[0], tree[1:]
        if tag in CONTAINERS:
            (parts,) = rest
            return CONTAINERS[tag]([self.value(part, depth + 1) for part in _list(parts)])
        if tag in MAPPINGS:
            (pairs,) = rest
            return self.mapping(tag, _list(pairs), depth)
        decoder = getattr(self, f"_{tag.replace('.', '_')}", None) if tag in TAGS else None
        if decoder is None:
            raise CodecError("the answer has a part with an unknown tag")
        return decoder(*rest)

    def mapping(self, tag: str, pairs: list[Any], depth: int) -> Any:
        made = []
        for pair in pairs:
            key, part = _list(pair)
            made.append((self.value(key, depth + 1), self.value(part, depth + 1)))
        result = MAPPINGS[tag](made)
        if len(result) != len(made):
            raise CodecError("the answer has a dict with a repeated key")
        return result

    def _int(self, text: object) -> int:
        if type(text) is not str or len(text) > MAX_INT + 1 or not re.fullmatch(r"-?[0-9a-f]+", text, re.ASCII):
            raise CodecError("the answer has a whole number that is none")
        return int(text, 16)

    def whole(self, tree: Any) -> int:
        if type(tree) is not list or len(tree) != 2 or tree[0] != "int":
            raise CodecError("the answer lacks a whole number")
        return self._int(tree[1])

    def _float(self, text: object) -> float:
        if type(text) is not str or len(text) > 40:
            raise CodecError("the answer has a float that is none")
        return float.fromhex(text)

    def _complex(self, real: object, imaginary: object) -> complex:
        return complex(self._float(real), self._float(imaginary))

    def _bytes(self, text: object) -> bytes:
        if type(text) is not str:
            raise CodecError("the answer has bytes that are none")
        return base64.b64decode(text, validate=True)

    def _bytearray(self, text: object) -> bytearray:
        return bytearray(self._bytes(text))

    def _range(self, start: object, stop: object, step: object) -> range:
        return range(self.whole(start), self.whole(stop), self.whole(step))

    def _array(self, name: object, text: object) -> Any:
        array = _read_npy(self._bytes(text))
        if name == "":
            return array
        if type(name) is not str or array.dtype.name != EXTENSION_DTYPES.get(name):
            raise CodecError("the answer has an array of an unknown kind")
        return array.view(_dtype(name))

    def _scalar(self, name: object, text: object) -> Any:
        array = self._array(name, text)
        if array.shape != ():
            raise CodecError("the answer has a number that is an array")
        return array[()]

    def _texts(self, shape: Any, parts: Any) -> Any:
        import numpy as np

        shape, parts = [self.whole(size) for size in _list(shape)], [self._bytes(part) for part in _list(parts)]
        if not shape and len(parts) == 1:
            return parts[0]
        if math.prod(shape) != len(parts) or min(shape) < 0:
            raise CodecError("the answer has an array of another size than it says")
        array = np.empty(len(parts), dtype=object)
        array[:] = parts
        return array.reshape(shape)

    def _dtype(self, name: object) -> Any:
        if type(name) is not str or not re.fullmatch(r"[<>|=]?\w{1,20}(\[\w{1,6}\])?", name, re.ASCII):
            raise CodecError("the answer has a dtype that is none")
        made = _dtype(name)
        if made.kind not in NUMPY_KINDS and name not in EXTENSION_DTYPES:
            raise CodecError("the answer has a dtype that cannot travel")
        return made

    def _tf_DType(self, name: object) -> Any:
        import tensorflow as tf

        if type(name) is not str or not re.fullmatch(r"\w{1,40}", name, re.ASCII):
            raise CodecError("the answer has a dtype that is none")
        return tf.as_dtype(name)

    def _tf_TensorShape(self, sizes: object) -> Any:
        import tensorflow as tf

        return tf.TensorShape(sizes and [s if s is None else self.whole(s) for s in _list(sizes)])

    def _tf_Graph(self, text: object) -> Any:
        import tensorflow as tf

        definition = self._message("tensorflow.GraphDef", text)
        try:
            with tf.Graph().as_default() as graph:
                tf.import_graph_def(definition, name="")
        except Exception as error:
            return unreadable("tensorflow.Graph", f"a graph that cannot be used here: {str(error)[:600]}", "")
        return graph

    def _message(self, name: object, text: object) -> Any:
        if type(name) is not str or name not in MESSAGE_MODULES:
            raise CodecError("the answer has a message that cannot travel")
        return _message_class(name).FromString(self._bytes(text))

    def _error(self, bases: Any, message: object, arguments: object) -> BaseException:
        if type(message) is not str or len(message) > MAX_MESSAGE or len(_list(bases)) > 20:
            raise CodecError("the answer has an error that is none")
        names = [tuple(_list(base)) for base in bases]
        if not names or not all(len(pair) == 2 and all(_is_name(part) for part in pair) for pair in names):
            raise CodecError("the answer has an error of no class")
        values = () if arguments is None else self.value(arguments, 0)
        if type(values) is not tuple or not all(v is None or type(v) in (str, int, bool) for v in values):
            raise CodecError("the answer has an error with odd arguments")
        return make_error(names, message, None if arguments is None else values)

    def _unreadable(self, name: object, reason: object) -> Unreadable:
        if type(name) is not str or type(reason) is not str or not _is_name(name):
            raise CodecError("the answer has a class of no name")
        if len(reason) > MAX_NAME or not reason.isprintable():
            raise CodecError("the answer has a reason that is none")
        return unreadable(name, reason)


TAGS = (
    *("int", "float", "complex", "bytes", "bytearray", "range", "array", "scalar", "texts", "dtype"),
    *("tf.DType", "tf.TensorShape", "tf.Graph", "message", "error", "unreadable"),
)


def _list(tree: object) -> list[Any]:
    if type(tree) is not list:
        raise CodecError("the answer lacks a list")
    return tree


def _is_name(text: object) -> bool:
    return type(text) is str and 0 < len(text) <= 2 * MAX_NAME and text.isprintable()


def _read_npy(data: bytes) -> Any:
    """An array from the bytes of a ``.npy`` file; its size is checked before memory is taken."""
    import numpy as np

    file = io.BytesIO(data)
    if np.lib.format.read_magic(file) != (1, 0):
        raise CodecError("the answer has an array in an unknown format")
    shape, fortran, dtype = np.lib.format.read_array_header_1_0(file, max_header_size=2_000)
    if dtype.kind not in NUMPY_KINDS or not dtype.itemsize or any(type(n) is not int or n < 0 for n in shape):
        raise CodecError("the answer has an array of a kind that cannot travel")
    if math.prod(shape) * dtype.itemsize != len(data) - file.tell():
        raise CodecError("the answer has an array of another size than it says")
    flat = np.frombuffer(data, dtype, offset=file.tell())
    if dtype.kind == "b":
        flat = flat.view(np.uint8) != 0  # a byte of 2 would be a truth that equals neither True nor False
    elif dtype.kind == "U" and flat.size and (flat.view(dtype.byteorder.replace("|", "=") + "u4") > 0x10FFFF).any():
        raise CodecError("the answer has a text that is none")
    return flat.reshape(shape, order="F" if fortran else "C").copy()


def _dtype(name: str) -> Any:
    import numpy as np

    if name in EXTENSION_DTYPES:
        import ml_dtypes  # registers these names with NumPy

        return np.dtype(getattr(ml_dtypes, name))
    return np.dtype(name)


def _message_class(name: str) -> Any:
    return getattr(importlib.import_module(MESSAGE_MODULES[name]), name.rpartition(".")[2])


def make_error(names: list[tuple[str, str]], message: str, arguments: tuple[Any, ...] | None) -> BaseException:
    """An error of its own class if that is one of Python's or TensorFlow's, else of a class of the same name.

    Args:
        names: (module, name) of its class and of that class's bases, the class first.
        arguments: what the class was called with, where that is plain.
    """
    known = [(place, kind) for place, pair in enumerate(names) if (kind := _known_error(*pair)) is not None]
    place, nearest = known[0] if known else (len(names), Exception)
    if place == 0 and (same := _same_error(nearest, message, arguments)) is not None:
        return same
    name = names[0][1].rpartition(".")[2]
    own = {"__module__": "learner", "__init__": lambda self, *_: None, "__str__": lambda self: message}
    try:
        error: Any = type(name, (nearest,), own)(message)
    except Exception:  # a class of Python's that cannot be made of one text, such as ExceptionGroup
        error = type(name, (Exception,), own)(message)
    if nearest.__module__.startswith("tensorflow."):
        error._node_def = error._op = None
        error._message = message
    made: BaseException = error
    return made


def _known_error(module: str, name: str) -> type[BaseException] | None:
    if name in NOT_AS_THEMSELVES:
        return None
    if module == "builtins":
        found = getattr(builtins, name, None)
    elif module == "tensorflow.python.framework.errors_impl":
        found = getattr(importlib.import_module("tensorflow").errors, name, None)
    else:
        return None
    return found if isinstance(found, type) and issubclass(found, BaseException) else None


def _same_error(kind: type[BaseException], message: str, arguments: tuple[Any, ...] | None) -> BaseException | None:
    """An error of just this class that prints ``message``, if it can be made."""
    tries: list[tuple[Any, ...]]
    if kind.__module__.startswith("tensorflow."):
        tries = [(None, None, message)] if kind.__name__ != "OpError" else [(None, None, message, 2)]
    else:
        tries = [(message,)] if arguments is None else [arguments, (message,)]
    for values in tries:
        try:
            error = kind(*values)
            if type(error) is kind and str(error) == message:
                return error
        except Exception:
            continue
    return None
