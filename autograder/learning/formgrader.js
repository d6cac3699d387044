// Formgrader's page of one submission opens on the written answers: everything else is folded, and the first box of
// points has the keyboard, also after "Next". Without written answers, all is shown as nbgrader shows it.
"use strict";
{
  const isWritten = (cell) => cell.querySelector(".score") && cell.querySelector(".comment");
  const inFold = (box) => box.closest("details.course-fold:not([open])");

  const fold = (cells) => {
    if (!cells.length) return;
    const details = document.createElement("details");
    const summary = document.createElement("summary");
    const checks = cells.filter((cell) => cell.querySelector(".score")).length;
    details.className = "course-fold";
    summary.textContent = `${cells.length} cells${checks ? `, ${checks} of them with points` : ""}`;
    cells[0].before(details);
    details.append(summary, ...cells);
  };

  document.addEventListener("DOMContentLoaded", () => {
    const cells = [...document.querySelectorAll("#notebook-container .cell")];
    const written = new Set(cells.filter(isWritten));
    if (!written.size) return;
    const stays = new Set(cells.filter((cell, at) => [cells[at], cells[at + 1], cells[at - 1]].some((one) => written.has(one))));
    let group = [];
    for (const cell of cells) {
      if (!stays.has(cell)) {
        group.push(cell);
        continue;
      }
      fold(group);
      group = [];
    }
    fold(group);
    for (const cell of written) cell.classList.add("course-written");
  });

  const page = FormGrader.prototype;
  const fromAddress = page.setIndexFromUrl;
  page.setIndexFromUrl = function () {
    fromAddress.call(this);
    const first = $(".course-written .score").first();
    const nowhere = !/[?&]index=\d/.test(location.search) || (this.last_selected[0] && inFold(this.last_selected[0]));
    if (nowhere && first.length) {
      this.last_selected = first;
      this.setCurrentIndex();
    }
  };
  const next = (plain, step) =>
    function (event) {
      const boxes = $(".tabbable").toArray();
      let at = boxes.indexOf(this.last_selected[0]) + step;
      while (boxes[at] && inFold(boxes[at])) at += step;
      if (!boxes[at]) return plain.call(this, event);
      event.preventDefault();
      event.stopPropagation();
      this.selectInput(at);
    };
  page.selectNextInput = next(page.selectNextInput, 1);
  page.selectPrevInput = next(page.selectPrevInput, -1);
}
