"""What a learner's graph may be made of: a check's session runs it in the checker's process, as native code.

Ops are allowed by name (:mod:`.allowed_ops`); here are the rules on what an allowed op carries: its attributes, the
functions that it calls, and the device that it asks for. Functions of the graph's library are looked at like the graph
itself, and may leave no attribute open: Python's own never do. What allowed ops do with absurd shapes is left to the
walls around the process.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from .allowed_ops import ALLOWED

# Attributes of TensorFlow's own that begin with an underline, as Python writes them. All others ask the runtime for
# something: the compiler XLA, an accelerator, kernels by name, layouts over machines.
ALLOWED_NOTES = frozenset(
    (
        *("_class", "_output_shapes", "_input_shapes", "_shape", "_user_specified_name", "_original_func_name"),
        *("_gradient_op_type", "_num_original_outputs", "_lower_using_switch_merge", "_noinline", "_implements"),
        *("_read_only_resource_inputs", "_has_manual_control_dependencies", "_independent_side_effects"),
        *("_construction_context", "_disable_call_shape_inference", "_disable_acd", "_tf_data_function"),
        *("_collective_manager_ids", "_arg_unique_id", "_resource_arg_unique_id", "_OutputsOnOpDevice"),
    )
)
SWITCHES = ("_XlaMustCompile", "_XlaCompile", "_XlaSeparateCompiledGradients")  # harmless where they say "no"
PRINTED_TO = (b"", b"stdout", b"stderr", b"log(info)", b"log(warning)", b"log(error)")
EXECUTORS = (b"", b"DEFAULT", b"SINGLE_THREADED_EXECUTOR")
ADVICE = (
    "A check runs only ops that compute: none that touches files, calls Python or a compiler, or talks to other "
    "processes. Build the graph without it."
)


class RefusedGraph(Exception):
    """A learner's graph has something that no check runs; the message is a sentence for the learner."""


def refusals(definition: Any) -> list[str]:
    """What a ``GraphDef``, its functions included, has that a check does not run: phrases, sorted, none twice."""
    functions = definition.library.function
    own = {function.signature.name for function in functions} - _registered()
    found = set(_of_nodes(definition.node, own))
    for function in functions:
        found.update(_of_nodes(function.node_def, own))
        for attributes in (function.attr, *(argument.attr for argument in function.arg_attr.values())):
            found.update(_of_attributes(attributes, own, f"the function {function.signature.name[:60]}"))
        for argument in function.signature.attr:
            found.add(f"the function {function.signature.name[:60]} with the attribute {argument.name[:60]}")
    for gradient in definition.library.gradient:
        found.update(_of_function_name(gradient.function_name, own))
        found.update(_of_function_name(gradient.gradient_func, own))
    for gradient in definition.library.registered_gradients:
        found.update(_of_function_name(gradient.gradient_func, own))
    return sorted(found)


@lru_cache(maxsize=1)
def _registered() -> frozenset[str]:
    """All ops of this TensorFlow: a function of such a name is not taken for the function."""
    from tensorflow.core.framework import op_def_pb2
    from tensorflow.python.client import pywrap_tf_session

    ops = op_def_pb2.OpList.FromString(pywrap_tf_session.TF_GetBuffer(pywrap_tf_session.TF_GetAllOpList()))
    return frozenset(op.name for op in ops.op)


def _of_nodes(nodes: Iterable[Any], own: set[str]) -> Iterator[str]:
    for node in nodes:
        if node.op not in ALLOWED and node.op not in own:
            yield f"an op of type {node.op[:60]}"
        if "XLA" in node.device.upper():
            yield f"an op on the device {node.device[:60]}"
        yield from _of_attributes(node.attr, own, f"an op of type {node.op[:60]}")


def _of_attributes(attributes: Mapping[str, Any], own: set[str], where: str) -> Iterator[str]:
    for name, value in attributes.items():
        if value.WhichOneof("value") == "placeholder":  # whoever calls the function fills it, under another name
            yield f"{where} whose attribute {name[:60]} is left open"
        if name in SWITCHES and value.WhichOneof("value") in ("b", None) and not value.b:
            continue
        if name.startswith("_") and name not in ALLOWED_NOTES:
            yield f"{where} with the attribute {name[:60]}"
        if name == "output_stream" and value.s not in PRINTED_TO:
            yield f"{where} that prints into a file"
        if name in ("executor_type", "config") and value.s not in EXECUTORS:
            yield f"{where} with the attribute {name}"
        if name == "config_proto" and not _plain_config(value.s):
            yield f"{where} with a configuration of its own"
        yield from _of_value(value, own, where)


def _of_value(value: Any, own: set[str], where: str) -> Iterator[str]:
    """Functions that an attribute names, with attributes of their own, and tensors that stand for something else."""
    from tensorflow.core.framework import types_pb2

    for function in [value.func] * value.HasField("func") + list(value.list.func):
        yield from _of_function_name(function.name, own)
        yield from _of_attributes(function.attr, own, where)
    for tensor in [value.tensor] * value.HasField("tensor") + list(value.list.tensor):
        if tensor.dtype in (types_pb2.DT_VARIANT, types_pb2.DT_RESOURCE):
            yield f"{where} with a constant that is no number or text"


def _of_function_name(name: str, own: set[str]) -> Iterator[str]:
    if name and name not in own and name not in ALLOWED:
        yield f"a call of {name[:60]}"


def _plain_config(text: bytes) -> bool:
    """Whether a call's configuration leaves compilers and optimizers of other names alone."""
    from google.protobuf.message import DecodeError
    from tensorflow.core.protobuf import config_pb2

    try:
        config = config_pb2.ConfigProto.FromString(text)
    except DecodeError:
        return False
    optimizer, rewriter = config.graph_options.optimizer_options, config.graph_options.rewrite_options
    named = [*rewriter.optimizers, *rewriter.custom_optimizers, config.experimental.executor_type]
    return optimizer.global_jit_level <= 0 and not any(named) and not config.HasField("cluster_def")


def guard_imports() -> None:
    """From now on such a graph cannot be imported in this process, by whatever function of TensorFlow's Python."""
    from tensorflow.python.framework import importer

    importing = importer._import_graph_def_internal

    def guarded(graph_def: Any, *args: Any, **kwargs: Any) -> Any:
        refused = refusals(graph_def) if hasattr(graph_def, "library") else []
        if refused:
            raise RefusedGraph(f"your graph has {', '.join(refused[:5])}. {ADVICE}")
        return importing(graph_def, *args, **kwargs)

    importer._import_graph_def_internal = guarded
