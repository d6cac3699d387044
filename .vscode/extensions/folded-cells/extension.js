// Folds, once for each notebook that is opened, the cells whose metadata says `"jupyter": {"source_hidden": true}`.
const vscode = require("vscode");

const seen = new WeakSet(); // notebooks: a cell that a reader has opened stays open

function isHidden(cell) {
  const metadata = cell.metadata.metadata ?? cell.metadata; // the built-in reader of notebooks keeps them a level deeper
  return metadata.jupyter?.source_hidden === true;
}

async function fold(editor) {
  if (!editor || seen.has(editor.notebook)) {
    return;
  }
  seen.add(editor.notebook);
  const hidden = editor.notebook.getCells().filter(isHidden);
  const ranges = hidden.map((cell) => ({ start: cell.index, end: cell.index + 1 }));
  if (ranges.length > 0) {
    const where = { ranges, document: editor.notebook.uri };
    await vscode.commands.executeCommand("notebook.cell.collapseCellInput", where);
  }
}

exports.activate = (context) => {
  context.subscriptions.push(vscode.window.onDidChangeActiveNotebookEditor(fold));
  return fold(vscode.window.activeNotebookEditor);
};
