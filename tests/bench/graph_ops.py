"""Which ops the graphs of a lesson's right answers have, and which of them no check would run (there must be none).

    python -m tests.bench.graph_ops [01 ...]

Grades the reference and the bank's right answers of each lesson, reads the answers that cross to the checker, and
collects the types of ops of every graph among them. ``tests/grading/test_graphs.py`` holds the list that it prints.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from autograder.authoring.answers import fresh_lesson, grade_answers, grade_reference, read_bank
from autograder.grading.checks import codec
from autograder.grading.checks.channel import Channel
from autograder.grading.checks.graphs import refusals
from autograder.grading.sandbox import choose_kernels, probe
from autograder.paths import find_course

ANSWERS: list[str] = []


def watch_answers() -> None:
    """Keep every answer of a learner's kernel."""
    ask = Channel.ask

    async def kept(self, *args, **kwargs):
        ANSWERS.append(await ask(self, *args, **kwargs))
        return ANSWERS[-1]

    Channel.ask = kept


def graphs_in(value) -> Iterator:
    """Every ``GraphDef`` in a decoded value, also as bytes."""
    import tensorflow as tf
    from google.protobuf.message import DecodeError

    if isinstance(value, dict):
        value = [*value.keys(), *value.values()]
    if isinstance(value, list | tuple | set | frozenset):
        for part in value:
            yield from graphs_in(part)
    elif isinstance(value, tf.Graph):
        yield value.as_graph_def()
    elif isinstance(value, tf.compat.v1.GraphDef):
        yield value
    elif isinstance(value, tf.compat.v1.MetaGraphDef):
        yield value.graph_def
    elif type(value) is bytes:
        try:
            definition = tf.compat.v1.GraphDef.FromString(value)
        except DecodeError:
            return
        if definition.node and all(node.op.isidentifier() for node in definition.node):
            yield definition


def types_of(definition) -> set[str]:
    """Types of ops in a graph and its functions, the calls of those functions left out."""
    functions = definition.library.function
    nodes = [*definition.node, *(node for function in functions for node in function.node_def)]
    return {node.op for node in nodes} - {function.signature.name for function in functions}


def main(numbers: list[str]) -> int:
    """Print the types per lesson; 1 where an op would be refused."""
    course = find_course()
    watch_answers()
    every, refused = set(), set()
    with choose_kernels(unsafe=not probe().works) as kernels:
        for name in [course.lesson(number) for number in numbers] or course.lessons():
            ANSWERS.clear()
            lesson = fresh_lesson(course, name)
            right = [answer for answer in read_bank(course, name) if answer.name.startswith("right_")]
            grade_reference(lesson, kernels)
            grade_answers(lesson, right, kernels)
            found = set()
            for definition in [d for text in ANSWERS for d in graphs_in(codec.decode(text))]:
                found |= types_of(definition)
                refused.update(refusals(definition))
            every |= found
            print(f"{name}: {' '.join(sorted(found)) or 'no graphs'}", flush=True)
    print(f"all: {' '.join(sorted(every))}\nrefused: {', '.join(sorted(refused)) or 'nothing'}")
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
