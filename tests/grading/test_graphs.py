"""Which graphs of learners a check runs: allowed ops alone, with harmless attributes, whatever hides them."""

from __future__ import annotations

import re

import pytest

from autograder.grading.checks import codec, graphs
from autograder.grading.checks.allowed_ops import ALLOWED

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("graphs")]

# Whatever a later TensorFlow brings under such a name: it is refused until somebody has looked at it.
DANGEROUS = {
    "files": r"Read(er|File)|WriteFile|MatchingFiles|Save|Restore|Checkpoint|FromTextFile|TFRecord|TextLine"
    r"|Record(Input|Data)|FixedUnigram|LoadAndRemap|VocabRemap|ImmutableConst|CacheDataset|Snapshot(D|C|N)|LoadDataset"
    r"|Sql|LMDB|CSV|Sharded",
    "Python": r"PyFunc|GeneratorDataset",
    "other processes": r"^_?(Host)?(Send|Recv)|RemoteCall|Rpc|DataService|RegisterDataset|Collective|Nccl|Heartbeat",
    "file systems": r"FileSystem",
    "compilers": r"^_?Xla|Mlir|CustomCall|TPU|Tpu|Infeed|Outfeed|Prelinearize|DTensor|Relayout|Mesh|TRT",
    "debuggers": r"^Debug(Identity|Nan|Num)|^Copy|DumpTensor|CalibrationStat|Abort|TfDbg",
    "summaries in files": r"SummaryWriter|^Write\w*Summary|SummaryFile|SummaryDb|ImportEvent|FlushSummary",
    "handles made of text": r"FromStringHandle|GetSession|SessionTensor|Stub|DeserializeIterator|DatasetFromGraph",
    "parsers of formats": r"Decode(Jpeg|Png|Gif|Bmp|Image|Wav|And|Web|Jxl|Compressed|Proto|JSON)"
    r"|Encode(Proto|Jpeg|Png|Wav)|^Parse|ExampleDataset|Unicode(De|En|Trans)code|Deserialize",
    "memory that nobody wrote": r"^Empty$|TemporaryVariable|^_ParallelConcat|^SparseSegment\w+Grad|MatrixSolveLs"
    r"|FakeParam|^Conv3DBackpropInputV2$|^DepthwiseConv2dNativeBackpropFilter$",
    "internals": r"^_|Test|^Foo|^Attr",
}
# What the graphs of right answers have: printed by ``course bench graph_ops``.
LESSONS_USE = """
AddN AssignAddVariableOp AssignVariableOp ConcatV2 Const Fill Identity MatMul MatrixDiagV3 Mul NoOp Pack Placeholder
ReadVariableOp Relu Slice Split Sum VarHandleOp VarIsInitializedOp
"""


@pytest.fixture(scope="module")
def tf():
    return pytest.importorskip("tensorflow")


def refused(tf, build) -> list[str]:
    with tf.Graph().as_default() as graph:
        build()
    return graphs.refusals(graph.as_graph_def())


def node(tf, **values):
    """A graph of one node, which no function of TensorFlow's would make."""
    from google.protobuf import text_format

    definition = tf.compat.v1.GraphDef()
    attributes = values.pop("attr", "")
    made = definition.node.add(name="x", **values)
    text_format.Parse(attributes, made)
    return graphs.refusals(definition)


def test_every_op_of_this_tensorflow_is_on_one_side_and_none_that_is_dangerous_is_allowed(tf):
    registered = graphs._registered()
    allowed, others = registered & ALLOWED, registered - ALLOWED
    print(f"{len(allowed)} allowed, {len(others)} refused:", *sorted(others))
    for what, pattern in DANGEROUS.items():
        assert any(re.search(pattern, name) for name in registered), f"no op is of the kind {what!r}"
        assert not {name for name in allowed if re.search(pattern, name)}, what
    assert len(allowed) > 800 and len(others) > 800
    assert all(node(tf, op=name) for name in others), "an op that is not allowed is refused by its name"
    assert not {name for name in allowed if any(name in line for line in node(tf, op=name))}


def test_no_allowed_op_takes_a_place_to_read_or_write(tf):
    """Arguments named like paths, addresses, code or handles of text do not occur among allowed ops."""
    from tensorflow.core.framework import op_def_pb2
    from tensorflow.python.client import pywrap_tf_session

    ops = op_def_pb2.OpList.FromString(pywrap_tf_session.TF_GetBuffer(pywrap_tf_session.TF_GetAllOpList()))
    places = (
        r"file|path|prefix|director|logdir|url|uri|address|token|target$|memory_region|descriptor|module|handle_str"
    )
    places += r"|string_handle|vocab|ckpt|protocol|call_|debug_ops|encoding_|input_encoding|serialized"
    taken = {
        (op.name, part.name)
        for op in ops.op
        if op.name in ALLOWED
        for part in [*op.input_arg, *op.attr]
        if re.search(places, part.name) and getattr(part, "type", "") not in ("type", "bool")
    }
    # settings of tf.data, and metadata that a summary carries along: neither names a place
    assert {name for name, _ in taken} <= {"OptionsDataset", "TensorSummaryV2"}, taken


def test_the_graphs_of_right_answers_have_allowed_ops_alone():
    assert len(LESSONS_USE.split()) > 10 and not set(LESSONS_USE.split()) - ALLOWED


def loops(tf):
    tf.while_loop(lambda i: i < 3, lambda i: [i + 1], [tf.cond(tf.constant(True), lambda: 1, lambda: 2)])


def function(tf, **options):
    tf.function(lambda x: x + 1, **options)(tf.constant(1))


def training(tf):
    v1 = tf.compat.v1
    loss = tf.reduce_sum(v1.get_variable("w", [2]) * v1.get_variable("r", [2], use_resource=False))
    v1.train.AdamOptimizer().minimize(loss)
    v1.train.SyncReplicasOptimizer(v1.train.GradientDescentOptimizer(0.1), 2, 2).minimize(
        loss, v1.train.get_or_create_global_step()
    )


def data(tf):
    made = tf.data.Dataset.range(9).map(lambda x: x + 1).filter(lambda x: x > 1).shuffle(4).batch(2).prefetch(1)
    tf.compat.v1.data.make_one_shot_iterator(made.repeat()).get_next()


HONEST = {
    "loops and branches": loops,
    "a function": function,
    "a function that is said not to be compiled": lambda tf: function(tf, jit_compile=False),
    "training": training,
    "data": data,
    "queues": lambda tf: tf.queue.RandomShuffleQueue(9, 1, tf.float32).dequeue(),
    "random numbers": lambda tf: (tf.random.normal([2]), tf.random.Generator.from_seed(1).normal([2])),
    "a layer": lambda tf: tf.keras.layers.Dense(3)(tf.ones([2, 2])),
    "ragged": lambda tf: tf.map_fn(lambda x: x + 1, tf.ragged.constant([[1], [2, 3]])),
    "prints": lambda tf: (tf.print("a"), tf.debugging.assert_equal(1, tf.compat.v1.placeholder(tf.int32))),
    "critical sections": lambda tf: tf.CriticalSection().execute(lambda: tf.constant(1)),
    "devices of a cluster": lambda tf: _on_ps(tf),
}


def _on_ps(tf):
    with tf.device("/job:ps/task:1"):
        tf.constant(1)


@pytest.mark.parametrize("name", HONEST)
def test_honest_graphs_are_run(tf, name):
    assert refused(tf, lambda: HONEST[name](tf)) == []


def nested(tf):
    inner = tf.function(lambda: tf.io.read_file("/etc/passwd"))
    tf.function(lambda: tf.cond(tf.constant(True), inner, lambda: tf.constant("")))()


REACHING = {
    "jit_compile": (lambda tf: function(tf, jit_compile=True), "_XlaMustCompile"),
    "jit_scope": (lambda tf: _in_scope(tf), "_XlaCompile"),
    "a file in a function in a branch": (nested, "ReadFile"),
    "a file in a dataset's function": (
        lambda tf: tf.compat.v1.data.make_one_shot_iterator(
            tf.data.Dataset.from_tensors("/etc/passwd").map(tf.io.read_file)
        ),
        "ReadFile",
    ),
    "a decoder with a file of descriptors": (
        lambda tf: tf.io.decode_proto(["x"], "a.B", ["c"], [tf.int32], descriptor_source="/etc/passwd"),
        "DecodeProtoV2",
    ),
    "a picture": (lambda tf: tf.io.decode_png("x"), "DecodePng"),
    "printing into a file": (lambda tf: tf.print("x", output_stream="file:///tmp/x"), "prints into a file"),
    "memory that nobody wrote": (lambda tf: tf.raw_ops.Empty(shape=[9], dtype=tf.int8), "Empty"),
    "an encoding by name": (lambda tf: tf.strings.unicode_transcode("x", "../x", "UTF-8"), "UnicodeTranscode"),
    "a saver": (lambda tf: (tf.compat.v1.get_variable("w", [2]), tf.compat.v1.train.Saver()), "SaveV2"),
}


def _in_scope(tf):
    with tf.xla.experimental.jit_scope():
        tf.add(1, 2)


@pytest.mark.parametrize("name", REACHING)
def test_graphs_that_reach_beyond_themselves_are_refused_by_name(tf, name):
    build, word = REACHING[name]
    found = refused(tf, lambda: build(tf))
    assert any(word in line for line in found), found


def note(name: str, value: str) -> str:
    return f'attr {{key: "{name}" value {{{value}}}}}'


COMPILED = f'func {{name: "Add" {note("_XlaMustCompile", "b: true")}}}'
FORGED = {
    "XlaCustomCallV2": ({"op": "XlaCustomCallV2"}, "XlaCustomCallV2"),
    "MlirPassthroughOp": ({"op": "MlirPassthroughOp"}, "MlirPassthroughOp"),
    "an op of a later version": ({"op": "AddV99"}, "AddV99"),
    "an internal op": ({"op": "_Send"}, "_Send"),
    "a compiler's device": ({"op": "Add", "device": "/device:XLA_CPU:0"}, "XLA_CPU"),
    "a kernel by label": ({"op": "Add", "attr": note("_kernel", 's: "x"')}, "_kernel"),
    "a call's compiler": ({"op": "PartitionedCall", "attr": note("f", COMPILED)}, "_XlaMustCompile"),
    "a switch that is no switch": ({"op": "Add", "attr": note("_XlaMustCompile", 's: "true"')}, "_XlaMustCompile"),
    "a call of an op": ({"op": "PartitionedCall", "attr": note("f", 'func {name: "ReadFile"}')}, "a call of ReadFile"),
    "calls in a list": ({"op": "Case", "attr": note("f", 'list {func {name: "ReadFile"}}')}, "a call of ReadFile"),
    "a call's executor": ({"op": "PartitionedCall", "attr": note("executor_type", 's: "x"')}, "executor_type"),
    "a constant that is a handle": (
        {"op": "Const", "attr": note("value", "tensor {dtype: DT_RESOURCE}")},
        "no number or text",
    ),
    "a constant of any kind": (
        {"op": "Const", "attr": note("value", "tensor {dtype: DT_VARIANT}")},
        "no number or text",
    ),
}


@pytest.mark.parametrize("name", FORGED)
def test_graphs_that_no_function_of_tensorflow_makes_are_refused(tf, name):
    values, word = FORGED[name]
    found = node(tf, **values)
    assert any(word in line for line in found), found


@pytest.mark.parametrize("what", ["compiler", "optimizer", "cluster", "nonsense"])
def test_a_calls_configuration_names_no_compiler_optimizer_or_cluster(tf, what):
    config = tf.compat.v1.ConfigProto()
    if what == "compiler":
        config.graph_options.optimizer_options.global_jit_level = 1
    elif what == "optimizer":
        config.graph_options.rewrite_options.custom_optimizers.add(name="x")
    elif what == "cluster":
        config.cluster_def.job.add(name="x")
    definition = tf.compat.v1.GraphDef()
    call = definition.node.add(name="x", op="PartitionedCall")
    call.attr["config_proto"].s = b"\xff" if what == "nonsense" else config.SerializeToString()
    assert graphs.refusals(definition) == ["an op of type PartitionedCall with a configuration of its own"]
    call.attr["config_proto"].s = tf.compat.v1.ConfigProto(allow_soft_placement=True).SerializeToString()
    assert graphs.refusals(definition) == []


def test_a_function_of_an_ops_name_does_not_stand_for_it(tf):
    definition = tf.compat.v1.GraphDef()
    definition.library.function.add().signature.name = "ReadFile"
    definition.node.add(name="x", op="ReadFile")
    assert graphs.refusals(definition) == ["an op of type ReadFile"]


@pytest.mark.parametrize("field", ["attr", "arg_attr", "gradient"])
def test_what_a_library_says_of_functions_is_looked_at(tf, field):
    definition = tf.compat.v1.GraphDef()
    function = definition.library.function.add()
    function.signature.name = "f"
    if field == "attr":
        function.attr["_XlaMustCompile"].b = True
    elif field == "arg_attr":
        function.arg_attr[0].attr["_XlaSharding"].s = b"x"
    else:
        definition.library.gradient.add(function_name="f", gradient_func="ReadFile")
    assert graphs.refusals(definition)


def test_an_attribute_that_is_left_open_is_refused(tf):
    """Whoever calls the function fills it, under any name, so that nothing says here what it will be."""
    from google.protobuf import text_format

    definition = tf.compat.v1.GraphDef()
    call = definition.node.add(name="call", op="mine")
    call.attr["where"].s = b"file:///tmp/here"
    function = definition.library.function.add()
    function.signature.name = "mine"
    text_format.Parse(
        'name: "p" op: "PrintV2" attr { key: "output_stream" value { placeholder: "where" } }', function.node_def.add()
    )
    assert graphs.refusals(definition) == ["an op of type PrintV2 whose attribute output_stream is left open"]
    del function.node_def[:]
    function.signature.attr.add(name="where", type="string").default_value.s = b"file:///tmp/here"
    assert graphs.refusals(definition) == ["the function mine with the attribute where"]


def test_whoever_imports_a_graph_meets_the_same_rules(tf, monkeypatch):
    from tensorflow.python.framework import function_def_to_graph, importer

    monkeypatch.setattr(importer, "_import_graph_def_internal", importer._import_graph_def_internal)
    graphs.guard_imports()
    with tf.Graph().as_default() as graph:
        tf.function(lambda: tf.io.read_file("/etc/passwd"))()
    definition, fine = graph.as_graph_def(), tf.Graph().as_graph_def()
    meta = tf.compat.v1.MetaGraphDef(graph_def=definition)
    inner = definition.library.function[0]
    with tf.Graph().as_default():
        tf.import_graph_def(fine)
        for attempt in (
            lambda: tf.import_graph_def(definition),
            lambda: tf.compat.v1.train.import_meta_graph(meta),
            lambda: function_def_to_graph.function_def_to_graph(inner),
        ):
            with pytest.raises(graphs.RefusedGraph, match="ReadFile"):
                attempt()
    as_value = codec.decode(codec.encode(graph))  # as an answer arrives
    with pytest.raises(codec.UnsupportedValue, match="ReadFile"):
        as_value.get_operations()
