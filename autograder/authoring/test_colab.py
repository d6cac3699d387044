"""``course test-colab``: the learners' notebooks, solved, each alone in an empty folder, with Colab's versions.

The environments are made with uv in the ignored folder ``.colab/``, from the pinned lists in ``authoring/colab/``. The
kernel's shell says that it is Colab's, so that the set-up cell does there what it does in Colab.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from .. import bootstrap
from ..errors import CourseError
from ..grading.lesson import read_lesson
from ..paths import Course, find_course
from ..python_code import parse
from .answers import reference_answers, submission
from .extras import needs

PYTHONS = ("3.13", "3.12", "3.11")  # Colab has the first
CELL_SECONDS = 300
NOT_IN_COLAB = "Installing keras-tuner (once"  # what the set-up cell says where a lesson needs it
# Without these, libtpu asks a metadata server that only Google's machines have, for minutes.
NO_CLOUD = {
    "TPU_SKIP_MDS_QUERY": "1",
    "TPU_ACCELERATOR_TYPE": "v5litepod-1",
    "TPU_WORKER_HOSTNAMES": "localhost",
    "TPU_WORKER_ID": "0",
}


@dataclass
class Trial:
    """What happened to one lesson."""

    lesson: str
    seconds: float
    notebook: NotebookNode
    troubles: list[str] = field(default_factory=list)  # "cell: what is wrong with it"
    noisy: list[str] = field(default_factory=list)  # red output, with its cell

    def printed(self, cell_id: str) -> str:
        """What a cell printed to stdout."""
        [cell] = [cell for cell in self.notebook.cells if cell.id == cell_id]
        return "".join(output.text for output in cell.outputs if output.get("name") == "stdout")


# ------------------------------------------------------------------------------------------------ the environments


def colab_python() -> tuple[str, str]:
    """The interpreter nearest to Colab's that this machine has, and its version, e.g. ``"3.13"``."""
    for version in PYTHONS:
        command = [sys.executable, "-m", "uv", "python", "find", "--no-python-downloads", version]
        found = subprocess.run(command, capture_output=True, text=True, cwd=tempfile.gettempdir())
        pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
        candidates = [found.stdout.strip(), *map(str, sorted(pyenv.glob(f"{version}.*/bin/python"), reverse=True))]
        for python in candidates:
            if python and bootstrap.version_of(python) == tuple(map(int, version.split("."))):
                return python, version
    raise CourseError(f"None of Python {', '.join(PYTHONS)} was found. Install one of them.")


def make_venv(course: Course, kind: str, fresh: bool = False) -> Path:
    """The interpreter of an environment like Colab's, made when it is not there or its list of versions has changed.

    Args:
        kind: ``"cpu"`` (also Colab's GPU runtime) or ``"tpu"``.
        fresh: make it anew, because what ran in it may have changed it.

    Raises:
        CourseError: it could not be made; uv's words are in the message.
    """
    requirements = Path(__file__).parent / "colab" / f"{kind}.txt"
    folder = course.root / ".colab" / kind
    python = Path(bootstrap.venv_python(folder))
    base, version = colab_python()
    made_from = hashlib.sha256(requirements.read_bytes() + base.encode()).hexdigest()
    stamp = folder / "made-from"
    if not fresh and stamp.is_file() and stamp.read_text() == made_from:
        return python
    if not fresh:
        print(
            f"Making an environment like Colab's with Python {version} (a minute; longer the first time) ...",
            flush=True,
        )
    shutil.rmtree(folder, ignore_errors=True)
    uv("venv", "--python", base, str(folder))
    # uv has resolved the list; what it lacks (ipywidgets 7 asks for a notebook server) is left out on purpose
    compiled = [] if fresh else ["--compile-bytecode"]  # worth its time only if it is used again
    uv("pip", "install", "--no-deps", *compiled, "--python", str(python), "-r", str(requirements))
    stamp.write_text(made_from)
    return python


def uv(*arguments: str) -> None:
    """Run uv.

    Raises:
        CourseError: it failed; its last words are in the message.
    """
    done = subprocess.run([sys.executable, "-m", "uv", *arguments, "--quiet"], capture_output=True, text=True)
    if done.returncode:
        words = " ".join(done.stderr.split())[-600:]
        raise CourseError(
            f"the environment like Colab's could not be made: uv {arguments[0]} says: {words} "
            "It needs a network (once; uv keeps what it has fetched) and 3 GB of disk."
        )


# ------------------------------------------------------------------------------------------------------ one lesson


def solved(course: Course, lesson: str) -> NotebookNode:
    """The learner's notebook with the instructor's answers in it."""
    texts = read_lesson(course, lesson)
    return nbformat.reads(submission(texts, reference_answers(texts)).decode(), as_version=4)


def try_notebook(lesson: str, notebook: NotebookNode, python: Path, **variables: str) -> Trial:
    """Run a notebook top to bottom, alone in an empty folder, in a kernel that takes itself for Colab's."""
    from jupyter_client.kernelspec import KernelSpecManager
    from jupyter_client.manager import AsyncKernelManager
    from nbclient import NotebookClient

    strange = ("VIRTUAL_ENV", "PYTHONPATH", "PYTHONHOME", "PYTEST_CURRENT_TEST")
    variables = {key: value for key, value in os.environ.items() if key not in strange} | variables
    with tempfile.TemporaryDirectory(prefix="course-colab-", ignore_cleanup_errors=True) as scratch:
        spec, alone = Path(scratch, "kernels", "colab"), Path(scratch, "content")
        spec.mkdir(parents=True)
        alone.mkdir()
        kernel = str(Path(__file__).parent / "colab" / "kernel.py")
        argv = [str(python), "-Xfrozen_modules=off", kernel, "-f", "{connection_file}"]
        spec_text = {"argv": argv, "display_name": "like Colab", "language": "python"}
        (spec / "kernel.json").write_text(json.dumps(spec_text))
        specs = KernelSpecManager(kernel_dirs=[str(spec.parent)], ensure_native_kernel=False)
        manager = AsyncKernelManager(kernel_name="colab", kernel_spec_manager=specs)
        resources = {"metadata": {"path": str(alone)}}
        client = NotebookClient(notebook, km=manager, timeout=CELL_SECONDS, allow_errors=True, resources=resources)
        start = time.monotonic()
        trial = Trial(lesson, 0, notebook)
        try:
            # a client that is given its manager does not end the kernel unless told to
            client.execute(cleanup_kc=True, env=variables, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        except Exception as error:  # the kernel died, or a cell took too long
            trial.troubles.append(f"the kernel: {type(error).__name__}: {str(error).strip()[-300:]}")
        trial.seconds = time.monotonic() - start
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if output.output_type == "error":
                trial.troubles.append(f"{cell.id}: {output.ename}: {output.evalue[:300]}")
            elif output.output_type == "stream" and output.name == "stderr":
                trial.noisy.append(f"on stderr, {cell.id}: {output.text.strip()[:200]}")
    return trial


def try_lesson(course: Course, lesson: str, python: Path) -> Trial:
    """Run a solved lesson as on Colab's CPU runtime: all must run, and the set-up cell must find nothing to do."""
    notebook = solved(course, lesson)
    notebook.cells.append(nbformat.v4.new_code_cell("assert colab_is_ready", id="knew-colab"))
    trial = try_notebook(lesson, notebook, python)
    said = trial.printed("shared-colab_setup")
    if said and not said.startswith(NOT_IN_COLAB):
        trial.troubles.append(f"shared-colab_setup: nothing is missing here, but it says: {said.strip()}")
    return trial


# --------------------------------------------------------------------------------------------- the TPU, without one


def setting(course: Course, name: str) -> Any:
    """The value of a name that the set-up cell defines."""
    tree = parse((course.shared / "colab_setup.py").read_text(encoding="utf-8"))
    [value] = [n.value for n in tree.body if isinstance(n, ast.Assign) and ast.unparse(n.targets[0]) == name]
    return ast.literal_eval(value)


# What TensorFlow for the TPU must answer where there is no chip: {question: words of the answer}.
QUESTIONS = {
    "import": "version 2.20.0 12.0",
    "resolve local": "{'TPU': 0}",
    "resolve ": "ValueError: Please provide a TPU Name",
    "find local": "(None, 'TensorFlow sees no TPU core')",
    "find grpc://localhost:1": "no TPU host answers at grpc://localhost:1",
    "find my-tpu": "is neither 'local' nor",
    "strategy": "MirroredStrategy, replicas: 1, on: logical CPU; no TPU: TensorFlow sees no TPU core; no GPU",
}


def try_tpu_packages(course: Course, python: Path, seconds: float = 120) -> dict[str, str]:
    """Ask TensorFlow for the TPU every question; ``{question: what is wrong with the answer}``, empty when all is well.

    The packages must be installed in the environment. Each question has a process of its own and ``seconds``.
    """
    cell = (course.shared / "get_strategy.py").read_text(encoding="utf-8")
    trial = str(Path(__file__).parent / "colab" / "tpu_trial.py")
    variables = {**os.environ, **NO_CLOUD, "TF_CPP_MIN_LOG_LEVEL": "2", "CUDA_VISIBLE_DEVICES": "-1"}
    wrong = {}
    for question, expected in QUESTIONS.items():
        try:
            done = subprocess.run(
                [str(python), trial, question, cell], env=variables, capture_output=True, text=True, timeout=seconds
            )
        except subprocess.TimeoutExpired:
            wrong[question] = f"no answer in {seconds:g} s"
            continue
        if expected not in done.stdout:
            heard = (done.stdout.strip() or done.stderr.strip())[-300:]
            wrong[question] = f"expected {expected!r}; status {done.returncode}: {heard}"
    return wrong


# Ways in which the trial of the set-up cell really ends badly: {kind: (what to change in the cell, variables, reason)}.
FALLBACKS = {
    "a libtpu that aborts": ({",<0.0.30": ",>=0.0.52"}, NO_CLOUD, "TensorFlow's trial ended with status -"),
    "a libtpu that waits": ({"TPU_SECONDS = 180": "TPU_SECONDS = 20"}, {}, "it did not answer within 20 seconds"),
}


def try_fallback(course: Course, kind: str, python: Path) -> Trial:
    """Run the set-up cell where the trial ends badly: it must say why, and TensorFlow must work on the CPU."""
    changes, variables, reason = FALLBACKS[kind]
    [setup] = [cell for cell in solved(course, course.lesson("08")).cells if cell.id == "shared-colab_setup"]
    for old, new in changes.items():
        assert old in setup.source
        setup.source = setup.source.replace(old, new)
    after = nbformat.v4.new_code_cell("import tensorflow as tf\nprint(float(tf.reduce_sum(tf.ones(3))))", id="after")
    trial = try_notebook(kind, nbformat.v4.new_notebook(cells=[setup, after]), python, **variables)
    said = trial.printed("shared-colab_setup")
    if f"No TPU: {reason}" not in said or trial.printed("after") != "3.0\n":
        trial.troubles.append(f"expected {reason!r} and then 3.0, but: {said!r}, {trial.printed('after')!r}")
    return trial


def try_tpu_lesson(course: Course, lesson: str, python: Path) -> Trial:
    """Run a solved lesson as on a TPU runtime whose chip is missing: it must say so and go on with the CPU."""
    notebook = solved(course, lesson)
    leftovers = 'print(sorted(name for name in os.environ if name.startswith(("PJRT", "NEXT_PL", "TF_PLUG"))))'
    notebook.cells.append(nbformat.v4.new_code_cell(leftovers, id="leftovers"))
    trial = try_notebook(lesson, notebook, python, **NO_CLOUD)
    said = trial.printed("shared-colab_setup")
    uses_tpu = notebook.metadata.get("accelerator") == "TPU"
    if uses_tpu != ("No TPU: this runtime has no TPU core. This lesson goes on with the CPU" in said):
        trial.troubles.append(f"shared-colab_setup: {'no fallback' if uses_tpu else 'it looked for the TPU'}: {said!r}")
    if trial.printed("leftovers").strip() != "[]":
        trial.troubles.append(f"the TPU's environment was left: {trial.printed('leftovers').strip()}")
    return trial


def told(trial: Trial) -> str:
    """A line for the terminal, and one for each trouble."""
    noise = f"; output on stderr in {len(trial.noisy)} cells" if trial.noisy else ""
    lines = [f"{'✗' if trial.troubles else '✓'} {trial.lesson} {trial.seconds:.0f} s{noise}"]
    return "\n".join([*lines, *(f"    {line}" for line in (*trial.troubles, *trial.noisy))])


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("lessons", nargs="*", metavar="LESSON", help="numbers or names; all when none is given")
    parser.add_argument(
        "--tpu",
        action="store_true",
        help="as on the TPU runtime, as far as that goes without a chip: install TensorFlow for the TPU, ask it about "
        "chips, let it fail, then run the lessons (08 when none is given) on the CPU; ten minutes and more",
    )


def command(args: argparse.Namespace) -> int:
    needs("uv")
    course = find_course()
    chosen = [course.lesson(name) for name in args.lessons]
    bad = 0
    if args.tpu:
        python = make_venv(course, "tpu", fresh=True)
        uv("pip", "install", "--python", str(python), *setting(course, "TPU_PACKAGES"))
        wrong = try_tpu_packages(course, python)
        for question in QUESTIONS:
            print(f"{'✗' if question in wrong else '✓'} {question!r}: {wrong.get(question, 'as expected')}", flush=True)
        bad += len(wrong)
        for kind in FALLBACKS:
            trial = try_fallback(course, kind, make_venv(course, "tpu", fresh=True))
            bad += bool(trial.troubles)
            print(told(trial), flush=True)
    else:
        python = make_venv(course, "cpu")
    for lesson in chosen or ([course.lesson("08")] if args.tpu else course.lessons()):
        if args.tpu:
            python = make_venv(course, "tpu", fresh=True)
        trial = try_tpu_lesson(course, lesson, python) if args.tpu else try_lesson(course, lesson, python)
        bad += bool(trial.troubles)
        print(told(trial), flush=True)
    return 1 if bad else 0
