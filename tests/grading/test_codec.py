"""Values travel as text and come back exactly; no text, however hostile, does more than fail."""

from __future__ import annotations

import base64
import collections
import json
import math
import struct
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.grading.checks import codec
from autograder.grading.checks.codec import CodecError, UnsupportedValue, decode, encode

hashable = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary(),
    lambda part: st.tuples(part, part) | st.frozensets(part, max_size=3),
    max_leaves=5,
)
values = st.recursive(
    hashable | st.complex_numbers(allow_nan=False) | st.binary().map(bytearray),
    lambda part: (
        st.lists(part, max_size=5)
        | st.lists(part, max_size=3).map(tuple)
        | st.dictionaries(hashable, part, max_size=4)
        | st.dictionaries(hashable, part, max_size=4).map(collections.OrderedDict)
        | st.sets(hashable, max_size=4)
        | st.lists(part, max_size=3).map(collections.deque)
    ),
    max_leaves=20,
)


def same(a, b) -> bool:
    """Equal, and of the same types all the way down (1, 1.0 and True are three values)."""
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return all(same(x, y) for x, y in zip(a.items(), b.items(), strict=True)) and len(a) == len(b)
    if isinstance(a, list | tuple | collections.deque):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, float):
        return struct.pack("d", a) == struct.pack("d", b)
    return a == b


@given(values)
def test_values_come_back_as_they_were(value):
    text = encode(value)
    assert text.isascii() and same(decode(text), value)


@pytest.mark.parametrize(
    "value",
    [True, False, None, 0, -1, 10**4000, -(2**64), 0.1, -0.0, 5e-324, math.inf, -math.inf, "\ud800\0é", b"\0\xff"],
)
def test_plain_values_at_the_edges(value):
    assert same(decode(encode(value)), value)


def test_not_a_number_stays_not_a_number():
    assert math.isnan(decode(encode(math.nan))) and math.isnan(decode(encode(complex(0, math.nan))).imag)


ARRAYS = [
    np.zeros((2, 0, 3)),
    np.arange(12, dtype=">i2").reshape(3, 4).T,
    np.array(3.5, np.float16),
    np.array([True, False]),
    np.array(["é", "long text"]),
    np.array([b"a", b"bc"]),
    np.array([1 + 2j], np.complex64),
    np.array(["2026-01-01"], "datetime64[D]"),
]


@pytest.mark.parametrize("array", ARRAYS, ids=lambda array: str(array.dtype))
def test_arrays_and_their_numbers(array):
    back = decode(encode(array))
    assert back.dtype == array.dtype and back.shape == array.shape and np.array_equal(back, array)
    assert back.flags.writeable
    for number in array.ravel()[:1]:
        assert type(decode(encode(number))) is type(number) and decode(encode(number)) == number
    assert decode(encode(array.dtype)) == array.dtype


def test_a_named_tuple_arrives_as_a_plain_one_with_what_it_holds():
    point: Any = collections.namedtuple("point", "x y")

    class Lying(point):
        def __iter__(self):
            return iter([7, 7])

    for value in (point(1, [2]), Lying(1, [2])):
        back = decode(encode({"at": value}))["at"]
        assert type(back) is tuple and back == (1, [2])


def test_what_has_no_text_becomes_its_name():
    class Mine(list):
        pass

    for value in (Mine(), np.array([object()]), np.zeros(1).view(np.matrix), lambda: 0, iter([]), np.ma.zeros(1), type):
        back = decode(encode([value]))[0]
        assert (
            isinstance(back, codec.Unreadable) and type(back).__name__ == type(value).__name__ or "array" in str(back)
        )
        for use in (lambda v: v == 1, bool, len, list, lambda v: v[0], lambda v: v.shape, float, lambda v: 1 in v):
            with pytest.raises(UnsupportedValue, match="return numbers, text, lists, dicts or arrays"):
                use(back)
        with pytest.raises(CodecError, match="cannot be passed"):
            encode([value], strict=True)


def test_an_unknown_value_says_what_it_is():
    frame = type("DataFrame", (), {"__module__": "pandas.core.frame"})()
    assert "your function returned a pandas.DataFrame; return numbers" in repr(decode(encode(frame)))


@pytest.mark.parametrize(
    "error",
    [ValueError("x"), KeyError("x"), FileNotFoundError(2, "no"), AssertionError(), NotImplementedError("write")],
)
def test_errors_of_python_keep_their_class_and_words(error):
    back = decode(encode(error))
    assert type(back) is type(error) and str(back) == str(error)


def test_other_errors_get_a_class_of_the_same_name():
    class Mine(KeyError):
        def __init__(self, one, two):
            super().__init__(one)

    back = decode(encode(Mine("a", "b")))
    assert type(back).__name__ == "Mine" and isinstance(back, KeyError) and str(back) == "'a'"
    group = decode(encode(ExceptionGroup("several", [ValueError("x")])))
    assert type(group).__name__ == "ExceptionGroup" and "several" in str(group)
    for kind in (StopIteration, StopAsyncIteration, GeneratorExit):
        back = decode(encode(kind("x")))
        assert type(back).__name__ == kind.__name__ and not isinstance(back, kind) and isinstance(back, Exception)
    assert len(str(decode(encode(Mine("x" * 10**6, ""))))) <= codec.MAX_MESSAGE


def test_too_large_values_are_refused_before_they_are_text():
    endless = []
    endless.append(endless)
    assert "nested more than" in repr(decode(encode(endless)))
    doubling = []
    for _ in range(60):
        doubling = [doubling, doubling]
    for value in (
        doubling,
        "x" * (codec.MAX_TEXT + 1),
        [0] * 300_000,
        16**20_000,
        np.zeros(10**8, np.int8),
        b"0" * 2**24,
    ):
        with pytest.raises(CodecError, match="of over"):
            encode(value)
        assert "of over" in repr(decode(codec.encode_or_say(value)))


def npy(header: str, data: bytes = b"") -> str:
    text = header.encode("latin-1")
    return base64.b64encode(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text + data).decode()


HOSTILE = [
    "",
    "{}",
    "1",
    "1.5",
    "NaN",
    '["int",5]',
    '["int","' + "f" * 20_000 + '"]',
    '["int","0x5"]',
    '["int","٣"]',
    '["float","1e5x"]',
    '["float",' + "[" * 50_000,
    "[" * 100_000 + "]" * 100_000,
    '["list"]',
    '["list",null]',
    '["list",[],[]]',
    '["nothing","x"]',
    '["value",[],0]',
    '["_int","1"]',
    '["__class__"]',
    '["mapping","dict"]',
    '["dict",[["a"]]]',
    '["dict",[["a",null],["a",true]]]',
    '["dict",[[["list",[]],null]]]',
    '["set",[["list",[]]]]',
    '["bytes","é"]',
    '["bytes","%%%%"]',
    '["range",["int","0"],["int","1"],["int","0"]]',
    '["scalar","","' + npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1,)}\n", b"0" * 8) + '"]',
    '["array","",""]',
    '["array","","' + npy("{'descr': '|O', 'fortran_order': False, 'shape': (1,)}\n", b"0" * 8) + '"]',
    '["array","","' + npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000,)}\n", b"0") + '"]',
    '["array","","' + npy("{'descr': '|S0', 'fortran_order': False, 'shape': (1000000000000,)}\n") + '"]',
    '["array","","' + npy("{'descr': '<f8', 'fortran_order': False, 'shape': (-1, -1)}\n", b"0" * 8) + '"]',
    '["array","","' + npy("{'descr': '<U1', 'fortran_order': False, 'shape': (1,)}\n", b"\xff" * 4) + '"]',
    '["array","","' + npy("__import__('os')", b"0") + '"]',
    '["array","","' + base64.b64encode(b"\x80\x04cos\nsystem\n(S'true'\ntR.").decode() + '"]',
    '["array","bfloat16","' + npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1,)}\n", b"0" * 8) + '"]',
    '["dtype","O"]',
    '["dtype","i4,i4"]',
    '["dtype","__import__"]',
    '["texts",[["int","-1"],["int","-1"]],["YQ=="]]',
    '["texts",[["int","fffffffffff"]],[]]',
    '["tf.DType","__class__"]',
    '["tf.DType","nothing"]',
    '["message","os.system","eA=="]',
    '["message","tensorflow.GraphDef","/////w=="]',
    '["message",["list",[]],"eA=="]',
    '["tf.Graph","/////w=="]',
    '["error",[],"x",null]',
    '["error",[["builtins"]],"x",null]',
    '["error",[["builtins","ValueError"]],null,null]',
    '["error",[["builtins","ValueError"]],"x",["list",[]]]',
    '["error",[["builtins","ValueError"]],"x",["tuple",[["bytes",""]]]]',
    '["unreadable","",""]',
    '["unreadable","a\\u0000b",""]',
    json.dumps(["unreadable", "x" * 10_000, ""]),
]


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: text[:40])
def test_hostile_texts_are_refused(text):
    with pytest.raises(CodecError):
        decode(text)


def test_only_text_of_a_bounded_length_is_read():
    texts: tuple[Any, ...] = (None, b"null", 5, ["null"], "[" * (codec.MAX_TEXT + 20_000))
    for text in texts:
        with pytest.raises(CodecError):
            decode(text)


def test_a_truth_is_true_or_false_whatever_its_byte():
    header = "{'descr': '|b1', 'fortran_order': False, 'shape': (2,)}\n"
    array = decode(json.dumps(["array", "", npy(header, b"\x00\x07")]))
    assert array.view(np.uint8).tolist() == [0, 1]


tags = st.sampled_from([*codec.TAGS, *codec.CONTAINERS, *codec.MAPPINGS, "", "x", "value", "__init__"])
trees = st.recursive(
    st.none() | st.booleans() | st.text() | st.integers() | st.floats() | tags,
    lambda part: st.lists(part, max_size=4) | st.tuples(tags, part).map(list) | st.dictionaries(st.text(), part),
    max_leaves=25,
)


@settings(max_examples=1500, deadline=None)
@given(trees)
def test_no_tree_breaks_the_decoder(tree):
    check_decodes_or_refuses(json.dumps(tree))


@settings(max_examples=600, deadline=None)
@given(values, st.data())
def test_no_damage_to_a_text_breaks_the_decoder(value, data):
    text = encode(value)
    at = data.draw(st.integers(0, len(text)))
    upto = data.draw(st.integers(at, min(len(text), at + 8)))
    check_decodes_or_refuses(text[:at] + data.draw(st.text(max_size=6)) + text[upto:])


@settings(max_examples=300, deadline=None)
@given(st.text())
def test_no_text_breaks_the_decoder(text):
    check_decodes_or_refuses(text)


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(ARRAYS), st.binary(max_size=8), st.data())
def test_no_damage_to_an_array_breaks_the_decoder(array, junk, data):
    tag, name, text = json.loads(encode(array))
    raw = base64.b64decode(text)
    at = data.draw(st.integers(0, len(raw)))
    check_decodes_or_refuses(
        json.dumps([tag, name, base64.b64encode(raw[:at] + junk + raw[at + len(junk) :]).decode()])
    )


def check_decodes_or_refuses(text: str) -> None:
    try:
        value = decode(text)
    except CodecError:
        return
    encode(value)  # what was read is made of nothing but what can be written


def test_the_file_runs_alone_where_neither_the_package_nor_numpy_is_known():
    import subprocess
    import sys

    from autograder.grading.checks.channel import _sources

    code, answers = _sources()
    script = (
        "import sys, types\nsys.path = [p for p in sys.path if 'site-packages' not in p]\n"
        f"c = types.ModuleType('c'); exec({code!r}, c.__dict__)\n"
        f"m = types.ModuleType('m'); exec({answers!r}, m.__dict__)\n"
        "assert 'numpy' not in sys.modules and 'autograder' not in sys.modules\n"
        "q = c.encode(('call', 'f', ([1, 2.5],), {'k': {'a': None}}))\n"
        "print(m.answer(c, 'n', q, {'f': lambda x, k: (x, k)}).text)"
    )
    printed = subprocess.run([sys.executable, "-I", "-c", script], capture_output=True, text=True, check=True).stdout
    nonce, _, answer = base64.b64decode(printed).decode().partition("\n")
    assert nonce == "n" and decode(answer) == ("returned", ([1, 2.5], {"a": None}))


@pytest.fixture(scope="module")
def tf():
    return pytest.importorskip("tensorflow")


@pytest.mark.slow
@pytest.mark.xdist_group("codec-tf")
def test_tensors_dtypes_messages_and_graphs(tf):
    assert decode(encode(tf.constant([[1, 2]]))).tolist() == [[1, 2]]
    assert decode(encode(tf.Variable(2.5))) == np.float32(2.5)
    assert decode(encode(tf.keras.Variable([2.5]))).tolist() == [2.5]
    assert decode(encode(tf.constant("text"))) == b"text"
    assert decode(encode(tf.constant(["a\0", "b"]))).tolist() == [b"a\0", b"b"]
    half = decode(encode(tf.constant([1.5, -2], tf.bfloat16)))
    assert half.dtype.name == "bfloat16" and half.tolist() == [1.5, -2]
    assert type(decode(encode(half[0]))) is type(half[0])
    assert decode(encode(half.dtype)) == half.dtype and decode(encode(tf.bfloat16)) is tf.bfloat16
    assert decode(encode(tf.TensorShape([None, 3]))).as_list() == [None, 3]
    assert decode(encode(tf.TensorShape(None))).rank is None
    with tf.Graph().as_default() as graph, tf.device("/device:CPU:1"):
        symbolic = tf.constant(1.0, name="one")
    assert decode(encode(graph)).get_operations()[0].device == "/device:CPU:1"
    assert isinstance(decode(encode(symbolic)), codec.Unreadable)
    config = tf.compat.v1.ConfigProto(device_count={"CPU": 4})
    for message in (config, graph.as_graph_def(), config.gpu_options, tf.train.ClusterDef(), tf.train.ServerDef()):
        assert type(decode(encode(message))) is type(message) and decode(encode(message)) == message
    assert isinstance(decode(encode(tf.compat.v1.Summary())), codec.Unreadable)


@pytest.mark.slow
@pytest.mark.xdist_group("codec-tf")
def test_every_message_that_may_travel_exists(tf):
    for name in codec.MESSAGE_MODULES:
        assert codec._message_class(name).DESCRIPTOR.full_name == name


@pytest.mark.slow
@pytest.mark.xdist_group("codec-tf")
def test_errors_of_tensorflow_keep_their_class(tf: Any):
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        tf.matmul([[1.0, 2.0]], [[3.0, 4.0]])
    back = decode(encode(caught.value))
    assert type(back) is tf.errors.InvalidArgumentError and back.message == caught.value.message

    class Mine(tf.errors.AbortedError):
        def __init__(self):
            super().__init__(None, None, "gone")

    back = decode(encode(Mine()))
    assert isinstance(back, tf.errors.AbortedError) and type(back).__name__ == "Mine" and back.message == "gone"
