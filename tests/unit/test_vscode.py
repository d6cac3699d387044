"""What VS Code needs to show a lesson as JupyterLab does: an extension of the course's own folds helpers and checks."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from autograder.paths import Course

playwright = pytest.importorskip("playwright", reason="Playwright brings the Node.js that runs the extension here")
NODE = Path(playwright.__file__).parent / "driver" / "node"
EXTENSION = Path(__file__).parents[2] / ".vscode" / "extensions" / "folded-cells"

# A stand-in for the editor, with what the extension asks of it: notebooks that come to the front, and commands.
EDITOR = """
const said = [];
const listeners = [];
const window = { activeNotebookEditor: undefined, onDidChangeActiveNotebookEditor: (f) => (listeners.push(f), {}) };
const commands = { executeCommand: async (name, where) => said.push([name, where.ranges, where.document]) };
const modules = require("module");
const load = modules._load;
modules._load = (name, ...more) => (name === "vscode" ? { window, commands } : load(name, ...more));
const notebookOf = (name, cells) => {
  const listed = cells.map((metadata, index) => ({ index, metadata }));
  return { uri: name, getCells: () => listed };
};
(async () => {
  const [path, cells] = JSON.parse(require("fs").readFileSync(0));
  const nested = { notebook: notebookOf("nested", cells.map((metadata) => ({ metadata }))) };
  window.activeNotebookEditor = nested;
  const context = { subscriptions: [] };
  await require(path).activate(context);
  const flat = { notebook: notebookOf("flat", cells) };
  const plain = { notebook: notebookOf("plain", [{}, { jupyter: { source_hidden: false } }]) };
  for (const editor of [undefined, nested, flat, plain, flat]) await listeners[0](editor);
  console.log(JSON.stringify([said, context.subscriptions.length]));
})();
"""


def test_what_jupyterlab_shows_folded_is_folded_once_for_each_notebook(course: Course) -> None:
    release = json.loads(course.release_notebook("05_control_dependencies").read_text(encoding="utf-8"))
    cells = [cell["metadata"] for cell in release["cells"]]
    folded = [
        {"start": index, "end": index + 1}
        for index, metadata in enumerate(cells)
        if metadata.get("jupyter", {}).get("source_hidden")
    ]
    given = json.dumps([str(EXTENSION / "extension.js"), cells])
    done = subprocess.run([NODE, "-e", EDITOR], input=given, capture_output=True, text=True, timeout=60)
    assert not done.stderr
    said, subscriptions = json.loads(done.stdout)
    fold = "notebook.cell.collapseCellInput"
    assert len(folded) > 10 and subscriptions == 1
    assert said == [[fold, folded, "nested"], [fold, folded, "flat"]]


def test_vs_code_finds_it() -> None:
    about = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
    assert (EXTENSION / about["main"]).is_file() and about["activationEvents"] == ["onNotebook:jupyter-notebook"]
    assert about["name"] == EXTENSION.name
