"""The shared cell that prepares Colab: what it detects, installs, refuses, and what it does when there is no TPU."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import subprocess
import sys
from types import ModuleType, SimpleNamespace

import IPython
import pytest

from autograder.authoring.source import SourceCell, imported_modules, read_cells, shared_cell
from autograder.paths import Course
from tests.conftest import LESSONS

TPU_VARIABLES = ("PJRT_DEVICE", "NEXT_PLUGGABLE_DEVICE_USE_C_API", "TF_PLUGGABLE_DEVICE_LIBRARY_PATH")


class Machine:
    """A made-up runtime: which modules it has, what its processes answer, and what was asked of it."""

    def __init__(self, monkeypatch, course: Course) -> None:
        self.modules = {"IPython", "tensorflow", "matplotlib", "psutil", "sklearn"}
        self.files: list[str] = []
        self.pip_fails = ""  # packages whose installation fails
        self.trial = lambda: (0, "cores: 1\n")  # (status, output) of the process that counts cores
        self.commands: list[list[str]] = []
        self.trial_environment: dict[str, str] = {}
        self.shell = type("Shell", (), {"__module__": "google.colab._shell"})()
        self.course, self.monkeypatch, self.namespace = course, monkeypatch, {"__name__": "__main__"}
        for name in TPU_VARIABLES:  # monkeypatch restores them, also when the cell sets them
            monkeypatch.setenv(name, "")
            monkeypatch.delenv(name)
        for name in ("jax", "tensorflow"):
            monkeypatch.delitem(sys.modules, name, raising=False)
        libtpu = ModuleType("libtpu")
        libtpu.get_library_path = lambda: "somewhere/libtpu.so"
        monkeypatch.setitem(sys.modules, "libtpu", libtpu)

    def run(self, **keywords) -> None:
        """Run the cell, as the build fills it, on this machine."""
        cell = SourceCell("code", "include", "colab_setup.py", "", "test", keywords=keywords)
        code = compile(shared_cell(self.course, cell), "colab_setup.py", "exec")
        with self.monkeypatch.context() as patch:
            patch.setattr(IPython, "get_ipython", lambda: self.shell)
            patch.setattr(importlib.util, "find_spec", lambda name: name if name in self.modules else None)
            patch.setattr("glob.glob", lambda pattern: [f for f in self.files if f.startswith(pattern[:8])])
            patch.setattr(subprocess, "run", self.process)
            exec(code, self.namespace)

    def process(self, command, **options):
        assert command[0] == sys.executable
        self.commands.append(command[1:])
        if command[1] == "-c":
            self.trial_environment = options["env"]
            assert options["timeout"] <= 300
            status, output = self.trial()
            return SimpleNamespace(returncode=status, stdout=output, stderr="")
        assert command[1:3] == ["-m", "pip"]
        action, *words = command[3:]
        failed = any(word in self.pip_fails.split() for word in words)
        if not failed:
            change = self.modules.difference_update if action == "uninstall" else self.modules.update
            change({"tensorflow" if word.startswith("tensorflow") else word for word in words})
        return SimpleNamespace(returncode=int(failed), stdout="", stderr="a line\nERROR: no such package\n")

    def pip(self) -> list[str]:
        """What pip was told, one text a call."""
        return [" ".join(command[2:-1]) for command in self.commands if command[1] == "pip"]


@pytest.fixture
def machine(monkeypatch, course: Course) -> Machine:
    return Machine(monkeypatch, course)


@pytest.fixture
def tpu(machine: Machine) -> Machine:
    """Colab's TPU runtime."""
    machine.modules = {"IPython", "matplotlib", "libtpu"}
    return machine


# -------------------------------------------------------------------------------------------------------- detection


def test_outside_colab_nothing_happens(machine, monkeypatch, capsys):
    machine.shell, machine.modules = None, set()
    for name in ("COLAB_RELEASE_TAG", "COLAB_GPU"):  # other services set them, too
        monkeypatch.setenv(name, "1")
    machine.run(modules=["tensorflow", "psutil"], uses_tpu=True)
    machine.shell = type("Shell", (), {"__module__": "ipykernel.zmqshell"})()
    machine.run(modules=["tensorflow", "psutil"], uses_tpu=True)
    assert machine.commands == [] and "colab_is_ready" not in machine.namespace
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("uses_tpu", [False, True])
def test_a_cpu_or_gpu_runtime_needs_nothing(machine, capsys, uses_tpu):
    machine.run(modules=["matplotlib", "tensorflow"], uses_tpu=uses_tpu)
    assert machine.commands == [] and machine.namespace["colab_is_ready"]
    assert capsys.readouterr() == ("", "")


def test_only_what_is_missing_is_installed(machine, capsys):
    machine.modules -= {"sklearn", "tensorflow"}
    machine.run(modules=["keras_tuner", "matplotlib", "sklearn", "tensorflow"])
    assert machine.pip() == ["install keras-tuner scikit-learn tensorflow-cpu==2.20.0"]
    assert "Installing keras-tuner, scikit-learn" in capsys.readouterr().out


def test_what_cannot_be_installed_is_a_sentence(machine):
    machine.modules.remove("psutil")
    machine.pip_fails = "psutil"
    with pytest.raises(Exception, match="pip could not install .* ERROR: no such package. Run this cell again") as told:
        machine.run(modules=["psutil"])
    assert told.value._render_traceback_() == [f"ColabSetupError: {told.value}"]
    assert "colab_is_ready" not in machine.namespace  # so running it again tries again


def test_running_it_again_changes_nothing(tpu, monkeypatch):
    tpu.run(modules=["tensorflow"], uses_tpu=True)
    before = len(tpu.commands)
    monkeypatch.setitem(sys.modules, "tensorflow", ModuleType("tensorflow"))  # the lesson has imported it meanwhile
    tpu.run(modules=["tensorflow"], uses_tpu=True)
    assert len(tpu.commands) == before


# ------------------------------------------------------------------------------------------------------ TPU runtime


def test_a_tpu_is_prepared(tpu, capsys):
    tpu.run(modules=["tensorflow"], uses_tpu=True)
    assert tpu.pip() == [
        "uninstall -y tensorflow tensorflow-cpu",
        "install tensorflow-tpu==2.20.0 libtpu>=0.0.14,<0.0.30",
    ]
    wanted = dict(zip(TPU_VARIABLES, ("TPU", "true", "somewhere/libtpu.so"), strict=True))
    assert {name: os.environ.get(name) for name in TPU_VARIABLES} == wanted
    assert wanted.items() <= tpu.trial_environment.items()
    assert "No TPU" not in capsys.readouterr().out


@pytest.mark.parametrize("file", ["/dev/vfio/0", "/dev/accel0"])
def test_a_tpu_runtime_is_known_by_its_device_too(machine, file):
    machine.modules, machine.files = {"IPython"}, [file]
    machine.run(modules=["tensorflow"], uses_tpu=True)
    assert any("tensorflow-tpu" in call for call in machine.pip())


def test_a_lesson_that_does_not_use_the_tpu_leaves_it_alone(tpu):
    tpu.run(modules=["tensorflow"])
    assert tpu.pip() == ["install tensorflow-cpu==2.20.0"]
    assert not any(name in os.environ for name in TPU_VARIABLES)  # nor do its child processes see any


@pytest.mark.parametrize("early", ["jax", "tensorflow"])
def test_what_was_imported_before_is_refused(tpu, monkeypatch, early):
    monkeypatch.setitem(sys.modules, early, ModuleType(early))
    with pytest.raises(Exception, match=f"^{early} was imported before .* Restart session; then run this cell first"):
        tpu.run(modules=["tensorflow"], uses_tpu=True)
    assert tpu.commands == [] and not any(name in os.environ for name in TPU_VARIABLES)


def hangs():
    raise subprocess.TimeoutExpired("trial", 180)


@pytest.mark.parametrize(
    ("trial", "says"),
    [
        (lambda: (0, "cores: 0\n"), "No TPU: this runtime has no TPU core. This lesson goes on with the CPU"),
        (lambda: (-6, ""), "No TPU: TensorFlow's trial ended with status -6. This"),
        (hangs, "No TPU: it did not answer within 180 seconds. This"),
    ],
    ids=["no core", "crash", "hang"],
)
def test_without_a_working_chip_the_cpu_is_used_and_that_is_said(tpu, capsys, trial, says):
    tpu.trial = trial
    tpu.run(modules=["tensorflow"], uses_tpu=True)
    assert tpu.pip()[-2:] == ["uninstall -y tensorflow-tpu", "install tensorflow-cpu==2.20.0"]
    assert not any(name in os.environ for name in TPU_VARIABLES)
    assert says in capsys.readouterr().out and tpu.namespace["colab_is_ready"]


def test_a_failed_installation_falls_back_too(tpu, capsys):
    tpu.pip_fails = "tensorflow-tpu==2.20.0"
    tpu.run(modules=["tensorflow"], uses_tpu=True)
    assert "No TPU: ERROR: no such package. This lesson goes on" in capsys.readouterr().out
    assert tpu.pip()[-1] == "install tensorflow-cpu==2.20.0"
    assert not any(command[0] == "-c" for command in tpu.commands)


# --------------------------------------------------------------------------------------------------- in the lessons


@pytest.mark.parametrize("lesson", LESSONS)
def test_every_lesson_begins_with_it_and_tells_it_what_it_imports(course, lesson):
    cells = read_cells(course, lesson)
    first = next(cell for cell in cells if cell.kind == "code")
    assert (first.role, first.name, first.skip_grading) == ("include", "colab_setup.py", True)
    assert {"matplotlib", "tensorflow"} <= set(first.keywords["modules"])
    assert first.keywords["uses_tpu"] == (cells[0].runtime == "TPU")


def test_it_knows_the_package_of_every_module(course):
    """pip can install what it would ask for: a package is called like its module, or the cell says how."""
    packages = importlib.metadata.packages_distributions()
    cell = SourceCell("code", "include", "colab_setup.py", "", "test")
    namespace: dict = {"__name__": "__main__"}
    exec(shared_cell(course, cell), namespace)
    for lesson in LESSONS:
        for module in imported_modules(course, read_cells(course, lesson)):
            package = namespace["PACKAGES"].get(module, module).partition("==")[0].removesuffix("-cpu")
            assert package in packages[module], f"{lesson} imports {module}, which is not of a package {package}"
