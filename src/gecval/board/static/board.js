// What the pages do beyond HTML: a file can be dropped on its field, and Escape folds an open number again.
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
