// Ranking outputs by keys: 1 to 9 rank the marked output and go on to the next, arrows move, e shows edits, Enter saves.
"use strict";

const form = document.querySelector("[data-judging]");
const outputs = [...form.querySelectorAll("[data-output]")];
const button = form.querySelector("[data-edits]");
let current = 0;

form.querySelector(".keys").hidden = false;

function mark(place) {
  current = Math.max(0, Math.min(outputs.length - 1, place));
  outputs.forEach((output, n) => output.classList.toggle("current", n === current));
  outputs[current].scrollIntoView({ block: "nearest" });
}

function toggleEdits() {
  const shown = form.classList.toggle("marked");
  form.elements.edits.value = String(shown);
  button.setAttribute("aria-pressed", String(shown));
}

button.addEventListener("click", (event) => { event.preventDefault(); toggleEdits(); });
outputs.forEach((output, n) => output.addEventListener("focusin", () => mark(n)));

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const radio = event.target.matches?.("input[type=radio]");
  if (/^[1-9]$/.test(event.key)) {
    const choice = outputs[current].querySelector(`input[value="${event.key}"]`);
    if (!choice) return;
    event.preventDefault();
    choice.checked = true;
    mark(current + 1);
    const next = outputs[current];
    if (radio) (next.querySelector("input:checked") ?? next.querySelector("input")).focus();  // it goes with the mark
  } else if (event.key === "e" || (event.key === " " && event.target === button)) {
    event.preventDefault();
    toggleEdits();
  } else if (!radio && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
    event.preventDefault();
    mark(current + (event.key === "ArrowDown" ? 1 : -1));
  } else if (event.key === "Enter" && !event.target.closest?.("a, button, summary")) {
    event.preventDefault();
    form.requestSubmit();
  }
});

mark(0);
