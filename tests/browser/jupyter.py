"""A page of JupyterLab, driven like a person drives it."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator
from pathlib import Path

import nbformat
from playwright.sync_api import Locator, Page, expect

from tests.servers import START_SECONDS, Lab, wait_for

RUN_SECONDS = 120
ZOOMED = (853, 600)  # what a window of 1280 x 900 pixels shows at 150 %
# An element that ends to the right of its cell, or has more inside than it shows; one line each.
TOO_WIDE = """cells => cells.flatMap((cell, number) => {
    const end = cell.getBoundingClientRect().right + 2;
    const parts = ".jp-OutputArea-output, .jp-OutputArea-output *, .jp-RenderedHTMLCommon *, .jp-RenderedHTMLCommon, " +
        ".cm-scroller, .jp-InputPlaceholder, .jp-PlaceholderText, .jp-Placeholder-contentContainer";
    return [...cell.querySelectorAll(parts)].filter(part => {
        const box = part.getBoundingClientRect(), style = getComputedStyle(part);
        if (!box.width || !box.height || style.visibility === "hidden") return false;
        if (part.ownerSVGElement || part.closest(".noUi-target")) return false;
        const more = part.clientWidth && part.scrollWidth > part.clientWidth + 1;
        return box.right > end || more && (style.overflowX !== "visible" || part.matches("button"));
    }).map(part => `cell ${number}: ${part.tagName} ${part.className} ${part.scrollWidth} > ${part.clientWidth}`);
})"""


def name_of(cell: nbformat.NotebookNode) -> str:
    """A cell's nbgrader ``grade_id``; its id where nbgrader does not know it."""
    return cell.metadata.get("nbgrader", {}).get("grade_id", cell.id)


def last_code(notebook: nbformat.NotebookNode) -> str:
    return name_of([cell for cell in notebook.cells if cell.cell_type == "code"][-1])


class NotebookPage:
    """A notebook open in JupyterLab. Cells are named by their nbgrader ``grade_id``."""

    def __init__(self, page: Page, lab: Lab, path: Path) -> None:
        self.page, self.path = page, path
        cells = nbformat.read(path, as_version=4).cells
        self.index = {name_of(cell): index for index, cell in enumerate(cells)}
        # `reset`: without the tabs of the test before
        page.goto(lab.page_url(f"/lab/tree/{path.relative_to(lab.course.work).as_posix()}") + "&reset")
        self.panel = page.locator(".jp-NotebookPanel:not(.lm-mod-hidden)")
        expect(self.panel.locator(".jp-Cell")).to_have_count(len(cells), timeout=START_SECONDS * 1000)
        # the notebook says "idle" before it has a kernel; what is run then is lost
        expect(page.locator("#jp-main-statusbar")).to_contain_text("(ipykernel) | Idle", timeout=START_SECONDS * 1000)
        self.wait_until_idle()

    def wait_until_idle(self, seconds: float = START_SECONDS) -> None:
        expect(self.panel.locator(".jp-Notebook-ExecutionIndicator")).to_have_attribute(
            "data-status", "idle", timeout=seconds * 1000
        )

    def cell(self, name: str) -> Locator:
        return self.panel.locator(".jp-Cell").nth(self.index[name])

    def run(self, *names: str) -> None:
        """Click left of each cell and press Ctrl-Enter, then wait for its number (a folded cell shows none)."""
        for name in names:
            cell = self.cell(name)
            cell.scroll_into_view_if_needed()
            cell.click(position={"x": 40, "y": 10})
            self.page.keyboard.press("Control+Enter")
            if cell.locator(".jp-InputPlaceholder").count() == 0:
                self.has_run(name, START_SECONDS)

    def has_run(self, name: str, seconds: float) -> None:
        """Wait until a cell shows the number of its run."""
        prompt = self.cell(name).locator(".jp-InputArea-prompt")
        expect(prompt).to_have_text(re.compile(r"\[\d+\]"), timeout=seconds * 1000)

    def write(self, name: str, source: str) -> None:
        """Replace a cell's text, as by pasting, and run it."""
        self.cell(name).locator(".cm-content").click()
        self.page.keyboard.press("Control+A")
        self.page.keyboard.insert_text(source)
        self.run(name)

    def menu(self, menu: str, item: str) -> None:
        """Choose an item of the menu bar."""
        self.page.locator(".lm-MenuBar-itemLabel", has_text=re.compile(f"^{menu}$")).click()
        self.page.locator(".lm-Menu-itemLabel", has_text=re.compile(f"^{item}$")).click()

    @contextlib.contextmanager
    def dark(self) -> Iterator[None]:
        """The dark theme for the length of a ``with``; settings live on the server, so the light one returns."""
        self._choose_theme("JupyterLab Dark")
        try:
            yield
        finally:
            self._choose_theme("JupyterLab Light")

    def _choose_theme(self, name: str) -> None:
        self.page.locator(".lm-MenuBar-itemLabel", has_text="Settings").click()
        self.page.locator(".lm-Menu-itemLabel", has_text=re.compile("^Theme$")).hover()
        self.page.locator(".lm-Menu-itemLabel", has_text=re.compile(f"^{name}$")).click()
        expect(self.page.locator("body")).to_have_attribute("data-jp-theme-name", name)

    def too_wide(self, *sizes: tuple[int, int]) -> list[str]:
        """What is wider than its cell, or cut, in windows of these sizes in CSS pixels; menus and borders aside."""
        found = []
        for width, height in sizes:
            self.page.set_viewport_size({"width": width, "height": height})
            self.page.wait_for_timeout(500)  # the panel follows the window
            for line in self.panel.locator(".jp-Cell").evaluate_all(TOO_WIDE):
                found.append(f"{width} px: {line}")
        return found

    def run_all(self, last: str) -> None:
        """Run → Run All Cells; returns when the cell ``last``, a folded one, shows something and the kernel rests."""
        self.menu("Run", "Run All Cells")
        expect(self.cell(last).locator(".jp-OutputArea-output").first).to_be_attached(timeout=RUN_SECONDS * 1000)
        self.wait_until_idle()

    def saved(self) -> nbformat.NotebookNode:
        """Save with Ctrl-S and return what is then on the disk."""
        before = self.path.stat().st_mtime_ns
        self.page.keyboard.press("Control+S")
        wait_for(lambda: self.path.stat().st_mtime_ns != before and self._is_whole(), 20, "the notebook to be saved")
        return nbformat.read(self.path, as_version=4)

    def _is_whole(self) -> bool:
        """JupyterLab empties the file before it writes: a reader may come in between."""
        try:
            json.loads(self.path.read_bytes())
        except ValueError:
            return False
        return True

    def validate(self) -> Locator:
        """Press Validate and return the dialog with its answer."""
        self.page.get_by_role("button", name="Validate").click()
        dialog = self.page.locator(".jp-Dialog", has=self.page.locator("#validation-message"))
        expect(dialog).to_be_visible(timeout=RUN_SECONDS * 1000)
        return dialog
