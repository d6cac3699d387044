"""The shared cell that opens called functions, so that arrows can be followed through a call."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from autograder.paths import Course

from .shared_cells import run_cells


@pytest.fixture(scope="module")
def cells(course: Course) -> SimpleNamespace:
    return SimpleNamespace(**run_cells(course, "called_functions"))


@pytest.fixture
def graph():
    """`read` waits for `call` of the function save(name), which writes a file; then a token is put back."""
    from tensorflow.core.framework.graph_pb2 import GraphDef

    definition = GraphDef()
    body = definition.library.function.add()
    body.signature.name = "save"
    body.signature.input_arg.add(name="name")
    body.node_def.add(name="copy", op="Identity", input=["name"])
    body.node_def.add(name="write", op="WriteFile", input=["copy:output:0"])
    definition.node.add(name="path", op="Placeholder")
    call = definition.node.add(name="call", op="PartitionedCall", input=["path:0", "^start"])
    call.attr["f"].func.name = "save"
    definition.node.add(name="start", op="NoOp")
    definition.node.add(name="early", op="ReadVariableOp", input=["path"])
    definition.node.add(name="put", op="QueueEnqueueV2", input=["^call"])
    definition.node.add(name="read", op="ReadVariableOp", input=["path", "^put"])
    return definition


def test_what_a_call_is_given_stands_for_its_argument(cells, graph):
    nodes = {name: (op, inputs) for name, op, inputs in cells.opened_nodes(graph)}
    assert nodes["call/copy"] == ("Identity", ["path", "path", "start"])
    assert nodes["call/write"] == ("WriteFile", ["call/copy", "path", "start"])
    assert nodes["call"] == ("PartitionedCall", ["path", "start", "call/copy", "call/write"])
    assert nodes["put"] == ("QueueEnqueueV2", ["call"])


def test_only_the_read_after_the_token_was_put_back_is_late(cells, graph):
    assert cells.reads_after_release(graph) == ["read"]
