"""The checker: a process of its own that runs check cells. It is neither the learner's kernel nor the grader.

    python -m autograder.grading.checks.checker PARENT     for one submission, over stdin and stdout; ends with PARENT

A check's free names are stand-ins here: calling one asks the grader, which asks the learner's kernel; values travel by
:mod:`.codec`. Graphs that learners build are run here by TensorFlow, so this process may be brought down, or kept
busy, by one: the grader starts it behind the same walls as a submission (:mod:`.sandbox`), ends it and starts another.
It gets no path, no gradebook and no other submission; only the text of the checks that it is to run.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import struct
import sys
import threading
import time
from functools import lru_cache

MAX_FRAME = 48 * 2**20
QUIET = {
    "TF_CPP_MIN_LOG_LEVEL": "2",
    "TF_ENABLE_ONEDNN_OPTS": "0",
    "CUDA_VISIBLE_DEVICES": "-1",
    "MPLBACKEND": "agg",
    "PYTHONHASHSEED": "0",
}


class Stream:
    """Frames of JSON over a pair of files: four bytes of length, then the text."""

    def __init__(self, reader, writer) -> None:
        self.reader, self.writer = reader, writer

    def send(self, content: dict) -> None:
        data = json.dumps(content).encode("ascii")
        self.writer.write(struct.pack(">I", len(data)) + data)
        self.writer.flush()

    def receive(self) -> dict:
        """The next frame.

        Raises:
            EOFError: the other side has ended, or sends what is no frame.
        """
        (length,) = struct.unpack(">I", self._exactly(4))
        if length > MAX_FRAME:
            raise EOFError("a frame that is too long")
        try:
            content = json.loads(self._exactly(length))
        except (ValueError, RecursionError):
            raise EOFError("a frame that is no JSON") from None
        if type(content) is not dict:
            raise EOFError("a frame that is no object")
        return content

    def _exactly(self, length: int) -> bytes:
        data = self.reader.read(length)
        if data is None or len(data) != length:
            raise EOFError
        return data

    def close(self) -> None:
        for file in (self.reader, self.writer):
            with contextlib.suppress(OSError):
                file.close()


# ----------------------------------------------------------------------------------------------- running one check


class NoAnswer(BaseException):
    """The grader has no answer to a question; no ``except Exception`` of a check may swallow it."""


def serve(stream: Stream) -> None:
    """Run checks until the grader closes the stream."""
    while True:
        try:
            request = stream.receive()
        except EOFError:
            return
        if "devices" in request:
            prepare(request["devices"], request["seed"])
            stream.send({"ready": True})
        else:
            if "tensorflow" in request["check"]:  # of a lesson that does not begin with it
                load()
            stream.send({"verdict": run_check(request["check"], request["names"], stream)})


def prepare(devices: int, seed: int) -> None:
    """As the lesson's first cell does: logical CPU devices and seeds, before any op has run; nothing for no devices."""
    import random

    if not devices:
        return
    load()
    import numpy as np
    import tensorflow as tf

    cpu = tf.config.list_physical_devices("CPU")[0]
    tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * devices)
    random.seed(seed), np.random.seed(seed), tf.random.set_seed(seed)


def run_check(source: str, names: list[str], stream: Stream) -> dict:
    """Run a check's text; how it ended: ``{"passed": True}``, or the class and message of what it raised."""
    from . import codec

    try:
        namespace = {"__name__": "__main__", "__builtins__": __builtins__, **stand_ins(names, stream)}
        exec(compile(source, "<check>", "exec", dont_inherit=True), namespace)
    except NoAnswer:
        return {"passed": False, "ename": "NoAnswer", "evalue": ""}
    except codec.CodecError as error:
        return {"passed": False, "ename": "CodecError", "evalue": str(error)}
    except BaseException as error:
        return {"passed": False, "ename": type(error).__name__[:200], "evalue": _words(error)}
    return {"passed": True}


def _words(error: BaseException) -> str:
    try:
        return str(error)[:20_000]
    except Exception:
        return "(an error without words)"


def stand_ins(names: list[str], stream: Stream) -> dict:
    """What stands for the names that a check uses and does not define: functions that ask, or plain values."""
    if not names:
        return {}
    made = {}
    for found in ask(stream, ("look", names), "found"):
        if type(found) is not tuple or len(found) < 2 or found[0] not in names:
            raise NoAnswer
        name, kind = found[:2]
        if kind == "callable":
            made[name] = _caller(name, stream)
        elif kind == "value" and len(found) == 3:
            made[name] = found[2]
    return made


def _caller(name: str, stream: Stream):
    def call(*args, **kwargs):
        return ask(stream, ("call", name, args, kwargs), "returned")

    call.__name__ = call.__qualname__ = name
    return call


def ask(stream: Stream, question: tuple, expected: str):
    """The learner's kernel's answer to a question, as a value; an error that it reports is raised here.

    Raises:
        NoAnswer: there is none, or one that makes no sense.
        CodecError: the question itself cannot travel (the check's fault).
    """
    from . import codec

    stream.send({"ask": codec.encode(question, strict=True)})
    try:
        text = stream.receive().get("answer")
    except EOFError:
        os._exit(0)  # the grader has given this check up
    if type(text) is not str:
        raise NoAnswer
    try:
        answer = codec.decode(text)
    except codec.CodecError:
        stream.send({"nonsense": True})
        raise NoAnswer from None
    if type(answer) is not tuple or len(answer) != 2 or answer[0] not in (expected, "raised"):
        stream.send({"nonsense": True})
        raise NoAnswer
    if answer[0] == "raised":
        error = answer[1]
        raise error if isinstance(error, BaseException) else NoAnswer
    return answer[1]


# --------------------------------------------------------------------------------------- what a learner's graph may do

# Ops that reach beyond the graph: files, Python, other machines, memory of the process, code of accelerators.
REFUSED_OPS = (
    *("PyFunc", "PyFuncStateless", "EagerPyFunc", "ReadFile", "WriteFile", "MatchingFiles", "ImmutableConst"),
    *("Save", "SaveV2", "SaveSlices", "Restore", "RestoreV2", "RestoreSlice", "MergeV2Checkpoints", "DistributedSave"),
    *("DTensorRestoreV2", "LoadAndRemapMatrix", "GenerateVocabRemapping", "FileSystemSetConfiguration", "PrintV2"),
    *("InitializeTableFromTextFile", "InitializeTableFromTextFileV2", "FixedUnigramCandidateSampler", "Skipgram"),
    *(
        "RecordInput",
        "CalibrationStatisticsSaver",
        "CopyHost",
        "Copy",
        "RemoteCall",
        "Send",
        "Recv",
        "_Send",
        "_Recv",
        "_HostSend",
    ),
    *("_HostRecv", "DumpTensor", "StubResourceHandleOp", "CompositeTensorVariantFromComponents", "WorkerHeartbeat"),
    *("RegisterDataset", "RegisterDatasetV2", "GetSessionTensor", "DatasetToTFRecord", "IteratorFromStringHandle"),
    *("IteratorFromStringHandleV2", "MultiDeviceIteratorFromStringHandle", "DeserializeIterator", "ImportEvent"),
    *("ExperimentalDatasetToTFRecord", "DatasetFromGraph", "_XlaRun", "_XlaCompile", "WriteRawProtoSummary"),
)
REFUSED_KINDS = (  # parts of names: readers, files as datasets, writers of summaries, debuggers, RPC, collectives, TPUs
    *("Reader", "FileDataset", "LineDataset", "RecordDataset", "RecordDatasetV2", "LMDBDataset", "SqlDataset"),
    *("CSVDataset", "Snapshot", "CacheDataset", "LoadDataset", "SaveDataset", "DataService", "MatchingFilesDataset"),
    *("GeneratorDataset", "SummaryWriter", "SummaryFileWriter", "SummaryDbWriter", "WriteSummary", "WriteScalar"),
    *("WriteImage", "WriteAudio", "WriteHistogram", "WriteGraph", "Debug", "Rpc", "Collective", "Nccl", "TPU", "Tpu"),
    *("XlaLaunch", "XlaHost", "XlaCallModule", "XlaSend", "XlaRecv", "Infeed", "Outfeed"),
)


class RefusedGraph(Exception):
    """A learner's graph has an op that no check runs."""


def refused_ops(definition) -> list[str]:
    """Types of ops in a ``GraphDef``, its functions included, that a check does not run; sorted, none twice."""
    nodes = [*definition.node, *(node for function in definition.library.function for node in function.node_def)]
    return sorted({node.op for node in nodes if _refused(node)})


def _refused(node) -> bool:
    if node.op == "PrintV2" and "output_stream" in node.attr:  # printing is harmless, unless into a file
        return node.attr["output_stream"].s not in (b"stdout", b"stderr", b"log(info)", b"log(warning)", b"log(error)")
    return node.op in REFUSED_OPS or any(part in node.op for part in REFUSED_KINDS)


def guard_imports() -> None:
    """From now on a graph with such an op cannot be imported in this process."""
    from tensorflow.python.framework import importer

    importing = importer._import_graph_def_internal

    def guarded(graph_def, *args, **kwargs):
        refused = refused_ops(graph_def) if hasattr(graph_def, "library") else []
        if refused:
            raise RefusedGraph(
                f"the graph has an op of type {', '.join(refused[:5])}. A check runs no op that reads or writes files, "
                "calls Python or talks to other processes."
            )
        return importing(graph_def, *args, **kwargs)

    importer._import_graph_def_internal = guarded


# ---------------------------------------------------------------------------------------------------------- process


@lru_cache(maxsize=1)
def load() -> None:
    """Import TensorFlow, and from then on refuse some graphs."""
    os.environ.update(QUIET)
    sys.ps1 = ">>> "  # TensorFlow then keeps its Python log off stderr, as in a notebook
    import tensorflow as tf

    _ = tf.compat.v1.Session, tf.errors.OpError, tf.constant, tf.function, tf.config  # loaded when first asked for
    guard_imports()


def silence() -> None:
    """What checks or TensorFlow print goes nowhere: it decides nothing, and stdout may be the stream."""
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)


def main(parent: int) -> None:
    """One checker for one submission, over the stdin and stdout that it was started with by the process ``parent``."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the grader's to handle; it closes our stream
    stream = Stream(os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb"))
    silence()
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    serve(stream)
    os._exit(0)


def _end_with(parent: int) -> None:
    """A check may be stuck when the grader is killed: then nobody else would end this process."""
    import psutil

    # where a launcher stands between the two (virtual environments on Windows), it is not this process's parent
    while os.getppid() == parent if os.name == "posix" else psutil.pid_exists(parent):
        time.sleep(1)
    os._exit(1)


if __name__ == "__main__":
    from autograder.grading.checks.checker import main as start  # the module by its name: its classes exist once

    start(int(sys.argv[1]))
