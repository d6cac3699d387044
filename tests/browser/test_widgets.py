"""Widgets of lessons that draw while they run, in a real JupyterLab."""

from __future__ import annotations

import base64
import io
import re

import matplotlib.image
import nbformat
import pytest
from playwright.sync_api import Locator, Page, expect

from autograder.authoring.source import SourceCell, shared_cell
from autograder.paths import Course
from tests.browser.jupyter import ZOOMED, NotebookPage, last_code
from tests.servers import Lab

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.xdist_group("browser")]


def test_the_last_picture_of_who_waits_is_not_blank(course: Course, lab: Lab, page: Page) -> None:
    """The lab's kernel handles widgets in another thread, which may end a figure of pyplot while it is drawn."""
    notebook = nbformat.read(course.release_notebook("04_queues"), as_version=4)
    brings = [cell for cell in notebook.cells if cell.id.startswith("shared-")]
    notebook.cells = brings + [cell for cell in notebook.cells if cell.source.startswith("who_waits()")]
    path = lab.course.work / "04_queues" / "widget.ipynb"
    nbformat.write(notebook, path)
    NotebookPage(page, lab, path).run_all(last_code(notebook))
    button = page.get_by_role("button", name="Run", exact=True)
    expect(button).to_be_visible(timeout=120_000)
    for _ in range(2):
        button.click()
        expect(button).to_be_disabled()
        expect(button).to_be_enabled(timeout=60_000)
        expect(page.get_by_text("The consumer took")).to_be_visible(timeout=60_000)
        picture = page.locator(".jp-OutputArea-output img").last.get_attribute("src")
        assert picture and picture.startswith("data:image/png;base64,")
        pixels = matplotlib.image.imread(io.BytesIO(base64.b64decode(picture.partition(",")[2])))
        assert pixels[..., :3].std() > 0.05


# Shared files, and what shows their widget. Each has names of its own here, so that one kernel holds them all.
LAYERS = """
def layers(n, wait_for):
    with tf.Graph().as_default() as graph:
        h = tf.compat.v1.placeholder(tf.float32, [512, 1], name="x")
        scales = tf.compat.v1.placeholder(tf.float32, [n], name="scales")
        steps = []
        for i in range(n):
            with tf.control_dependencies(wait_for(i, steps)):
                big = tf.fill([512, 512], scales[i], name=f"big_{i}")
            h = tf.matmul(big, h, name=f"step_{i}")
            steps.append(h)
    return graph
"""
WIDGETS = {
    "placement": ("placement_widget", "pin_and_run()"),
    "masks": ("mask_widget", "mask_the_host()"),
    "memory": ("memory_widget", "pack_card()"),
    "schedule": ("schedule_widget", f"import tensorflow as tf\n{LAYERS}\nset_and_run(layers)"),
    "floats": ("float_widget", "flip_bits()"),
    "costs": ("cost_widget", "choose_cost()"),
    "luck": ("optimism_widget", "choose_luck()"),
}
CLUSTER = """
import types
cluster = LocalCluster({"ps": 1, "worker": 1})
cluster.records = cluster.folder
display(watch_cluster(cluster))
job_board(cluster)
"""
PAUSE = 1500  # milliseconds between two presses: a person who looks before going on


def code_of(course: Course, names: str, show: str) -> str:
    """A cell that runs shared files with names of their own, and shows a widget of theirs."""
    text = shared_cell(course, SourceCell("code", "include", f"{names}.py", "", "test"))
    before, _, last = show.rpartition("\n")
    lines = [
        "names = {'__name__': '__main__', 'display': display}",
        f"exec({text!r}, names)",
        f"exec({before!r}, names)",
        f"display(eval({last!r}, names))",
    ]
    return "\n".join(lines)


def opened(lab: Lab, page: Page, name: str, cells: dict[str, str]) -> NotebookPage:
    """A notebook of these cells, all run."""
    folded = {"jupyter": {"source_hidden": True}}
    sources = [nbformat.v4.new_code_cell(source, id=key, metadata=folded) for key, source in cells.items()]
    path = lab.course.work / "00_start_here" / f"{name}.ipynb"
    kernel = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}
    nbformat.write(nbformat.v4.new_notebook(cells=sources, metadata={"kernelspec": kernel}), path)
    notebook = NotebookPage(page, lab, path)
    notebook.run_all(list(cells)[-1])
    return notebook


def settled(notebook: NotebookPage, cell: Locator) -> str:
    """What a cell shows once the kernel rests: its words and pictures."""
    notebook.page.wait_for_timeout(PAUSE)
    notebook.wait_until_idle()
    assert cell.locator('[data-mime-type$="jupyter.error"], [data-mime-type$="jupyter.stderr"]').count() == 0
    texts = cell.locator(".jp-OutputArea-output").all_inner_texts()
    pictures = cell.locator(".jp-OutputArea-output img").evaluate_all("all => all.map(each => each.src)")
    return "\n".join([*texts, *pictures])


def changes(notebook: NotebookPage, cell: Locator, act) -> None:
    """An act after which the cell shows something else."""
    before = settled(notebook, cell)
    act()
    deadline = 40
    while (after := settled(notebook, cell)) == before and deadline:
        deadline -= 1
    assert after != before, "nothing that a person sees has changed"


@pytest.mark.spare
def test_every_control_does_something_at_a_slow_pace(course: Course, lab: Lab, page: Page, picture) -> None:
    notebook = opened(lab, page, "widgets", {key: code_of(course, *what) for key, what in WIDGETS.items()})
    for key in WIDGETS:
        cell = notebook.cell(key)
        expect(cell.locator(".jupyter-widgets").first).to_be_visible(timeout=60_000)
        cell.click(position={"x": 40, "y": 10})  # the cell that a person works in
        run = cell.get_by_role("button", name="Run the graph")
        runs_by_button = run.count() > 0
        if runs_by_button:
            changes(notebook, cell, run.click)
        else:
            for button in cell.locator(".jupyter-widgets button:not(.mod-active)").all()[:3]:
                changes(notebook, cell, button.click)
        if key != "placement":  # its lists and the sliders beside a button act when it is pressed
            for slider in cell.locator(".jupyter-widgets").get_by_role("slider").all():
                changes(notebook, cell, lambda slider=slider: moved(slider))
        for choice in cell.locator("select").all():
            last = choice.locator("option").last.get_attribute("value") or ""
            choice.select_option(value=last)
        if runs_by_button:
            changes(notebook, cell, run.click)
        settled(notebook, cell)
        picture(page, f"widget-{key}")
    wide = notebook.too_wide((900, 800), ZOOMED)
    # a value beside a slider may be cut there: lesson 09's "the batch of each device"
    assert [line for line in wide if "widget-readout" not in line] == []


def moved(slider: Locator) -> None:
    """Move a slider by a key, to the side where there is room."""
    at_end = slider.get_attribute("aria-valuenow") == slider.get_attribute("aria-valuemax")
    slider.press("ArrowLeft" if at_end else "ArrowRight")


@pytest.mark.spare
def test_a_cluster_and_a_board_obey_their_buttons_at_a_slow_pace(course: Course, lab: Lab, page: Page) -> None:
    includes = "cluster_helper.py cluster_processes.py local_cluster.py cluster_picture.py job_board.py"
    shared = shared_cell(course, SourceCell("code", "include", includes, "", "test"))
    notebook = opened(lab, page, "cluster", {"shared": shared, "both": CLUSTER})
    cell = notebook.cell("both")

    def press(button: str, area: int, says: str) -> None:
        cell.get_by_role("button", name=f"{button} worker/0").nth(area).click()
        expect(cell.locator(".jp-OutputArea-output").last).to_be_visible()
        words = cell.locator("svg[role=img], img[alt]")
        expect(words.nth(area)).to_have_attribute(
            "alt" if area == 0 else "aria-label", re.compile(rf"worker/0 {says}"), timeout=90_000
        )
        page.wait_for_timeout(PAUSE)

    for button, says in (("freeze", "connects"), ("thaw", "answers"), ("kill", "killed"), ("start", "answers")):
        press(button, 0, says)
    for button, says in (("kill", "killed"), ("start", "answers")):
        press(button, 1, says)
    assert cell.locator('[data-mime-type$="jupyter.error"]').count() == 0
