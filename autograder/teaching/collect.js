"use strict";
// The form works without this; it says at once what the server would refuse, and that it is at work.
const form = document.querySelector("form");
const said = document.getElementById("said");
document.getElementById("result")?.focus();

form.addEventListener("submit", (event) => {
  const files = [...form.elements.file.files];
  const bytes = files.reduce((sum, file) => sum + file.size, 0);
  const much = files.length > Number(form.dataset.files) || bytes > Number(form.dataset.bytes);
  said.textContent = much ? form.dataset.much : "Collecting …";
  said.classList.toggle("failed", much);
  if (much) event.preventDefault();
  else form.querySelector("button").disabled = true;
});

// Back to this page from its result: a browser may show it as it was left.
window.addEventListener("pageshow", () => {
  form.querySelector("button").disabled = false;
  said.textContent = "";
});
