// What the pages do beyond HTML: a file can be dropped on its field, long forms have steps and lose nothing where they are
// refused, tables sort, and Escape folds an open number again.
"use strict";

for (const area of document.querySelectorAll("[data-drop]")) {
  const field = area.querySelector("input[type=file]");
  const mark = (over) => (event) => { event.preventDefault(); area.classList.toggle("over", over); };
  area.addEventListener("dragover", mark(true));
  area.addEventListener("dragleave", mark(false));
  area.addEventListener("drop", (event) => {
    mark(false)(event);
    if (event.dataTransfer.files.length) {
      field.files = event.dataTransfer.files;
      field.dispatchEvent(new Event("change", { bubbles: true }));
    }
  });
  field.addEventListener("change", () => {
    const name = field.form.elements.system;
    if (!name.value && field.files.length) name.value = field.files[0].name.replace(/\.(txt|out|tok|hyp|pred|jsonl)$/i, "");
  });
}

document.addEventListener("keydown", (event) => {
  const open = document.activeElement?.closest?.("details.score[open]");
  if (event.key === "Escape" && open) {
    open.open = false;
    open.querySelector("summary").focus();
  }
});

// A form in steps: one of its sections is shown at a time.
for (const form of document.querySelectorAll("[data-steps]")) {
  const steps = [...form.querySelectorAll("[data-step]")];
  const list = document.createElement("ol");
  const next = document.createElement("button");
  list.className = "steps";
  next.type = "button";
  const buttons = steps.map((step, n) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = step.dataset.step;
    button.addEventListener("click", () => show(n));
    list.append(document.createElement("li"));
    list.lastChild.append(button);
    return button;
  });
  let current = 0;
  function show(n) {
    current = n;
    steps.forEach((step, k) => { step.hidden = k !== n; });
    buttons.forEach((button, k) => { k === n ? button.setAttribute("aria-current", "step") : button.removeAttribute("aria-current"); });
    next.hidden = n === steps.length - 1;
    if (!next.hidden) next.textContent = `Next: ${steps[n + 1].dataset.step}`;
  }
  next.addEventListener("click", () => { show(current + 1); list.scrollIntoView({ block: "nearest" }); });
  form.prepend(list);
  form.querySelector(".buttons").prepend(next);
  form.addEventListener("reveal", (event) => {
    const n = steps.findIndex((step) => step.contains(event.target));
    if (n >= 0) show(n);
  });
  form.addEventListener("invalid", (event) => event.target.dispatchEvent(new Event("reveal", { bubbles: true })), true);
  show(0);
}

// A form that is refused stays as it is, files and all; the error stands next to its field.
for (const form of document.querySelectorAll("form[data-keep]")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    form.querySelectorAll(".error").forEach((line) => line.remove());
    form.querySelectorAll("[aria-invalid]").forEach((field) => field.removeAttribute("aria-invalid"));
    const button = event.submitter;
    if (button) button.disabled = true;
    try {
      const headers = { Accept: "application/json" };
      const answer = await fetch(form.action, { method: "POST", body: new FormData(form), headers });
      if (answer.ok) return location.assign(answer.url);
      const text = await answer.text();
      let said = { error: text.slice(0, 400) };
      try { said = JSON.parse(text); } catch { /* a line of text */ }
      showError(form, said.field, said.error);
    } catch {
      showError(form, "", "The board does not answer. Nothing is lost: try again.");
    }
    if (button) button.disabled = false;
  });
}

function showError(form, name, text) {
  const field = name ? form.querySelector(`[name="${CSS.escape(name)}"]:not([type=hidden])`) : null;
  const line = document.createElement("p");
  line.className = "error";
  line.setAttribute("role", "alert");
  line.id = "refused";
  line.textContent = text;
  if (field) {
    field.dispatchEvent(new Event("reveal", { bubbles: true }));
    field.setAttribute("aria-invalid", "true");
    field.setAttribute("aria-describedby", "refused");
    field.closest("label").after(line);
    field.focus();
  } else {
    (form.querySelector(".buttons, button:last-of-type") ?? form).before(line);
  }
  line.scrollIntoView({ block: "nearest" });
}

// Tables sort by a click on the head of a column: numbers as numbers, all else as text; what is missing comes last.
for (const table of document.querySelectorAll("table[data-sort]")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, place) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => sortBy(table, heads, place));
  });
}

function sortBy(table, heads, place) {
  const head = heads[place];
  const first = head.classList.contains("number") ? "descending" : "ascending";
  const order = head.getAttribute("aria-sort") === first ? (first === "ascending" ? "descending" : "ascending") : first;
  const sign = order === "ascending" ? 1 : -1;
  heads.forEach((other) => other.removeAttribute("aria-sort"));
  head.setAttribute("aria-sort", order);
  const rows = [...table.tBodies[0].rows].map((row) => {
    const text = row.cells[place].textContent.trim();
    const number = /^[-+−]?\d*\.?\d+(?![\d:.-])/.exec(text);
    return { row, text, number: number ? Number(number[0].replace("−", "-")) : NaN, missing: text === "" || text === "–" };
  });
  const numeric = rows.every((one) => one.missing || !Number.isNaN(one.number));
  rows.sort((a, b) => a.missing - b.missing || sign * (numeric && !a.missing ? a.number - b.number : a.text.localeCompare(b.text)));
  table.tBodies[0].append(...rows.map((one) => one.row));
}
