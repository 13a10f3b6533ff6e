// Tables that come as they are: how much was changed, what the references hide; signatures and commands with a copy button.
(() => {
  "use strict";

  const { element, isolated, byId, replaceBody, write } = gecval;

  const cell = (value) => (typeof value === "number" ? write.score(value, Number.isInteger(value) ? 0 : 4) : value === null ? write.UNDEFINED : isolated(value));
  const isNumber = (value) => typeof value === "number" || value === null || /^[+\u2212-]?[\d.,]+( ?%)?$/.test(String(value));

  function plainTable({ title, columns, rows, notes }) {
    const numeric = columns.map((_, column) => column > 0 && rows.some((row) => isNumber(row[column])) && rows.every((row) => isNumber(row[column])));
    const kind = (column) => (numeric[column] ? "number" : null);
    return [
      element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": gecval.visible(title) },
        element("table", {}, element("caption", {}, isolated(title)),
          element("thead", {}, element("tr", {}, columns.map((name, column) => element("th", { scope: "col", class: kind(column) }, isolated(name))))),
          element("tbody", {}, rows.map((row) => element("tr", {}, row.map((value, column) =>
            column === 0 ? element("th", { scope: "row" }, cell(value)) : element("td", { class: kind(column) }, cell(value)))))))),
      (notes ?? []).map((note) => element("p", { class: "note" }, isolated(note))),
    ];
  }

  function drawTables(id, part, lead) {
    if (part?.tables?.length) replaceBody(byId(id), element("p", { class: "lead" }, lead), part.tables.map(plainTable));
  }

  /** Copy a text. Browsers without a clipboard for file:// copy a selection instead. */
  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const field = element("textarea", { class: "unseen", "aria-hidden": "true" });
      field.value = text;
      document.body.append(field);
      field.select();
      document.execCommand("copy");
      field.remove();
    }
  }

  function copyButton(text, what) {
    const button = element("button", { type: "button", class: "copy", "aria-label": `Copy ${what}` }, "Copy");
    button.addEventListener("click", async () => {
      await copy(text);
      button.textContent = "Copied";
      setTimeout(() => (button.textContent = "Copy"), 1500);
    });
    return button;
  }

  const copied = (text, what) => element("div", { class: "copied" }, element("pre", { tabindex: 0, "aria-label": what }, element("code", {}, gecval.visible(text))), copyButton(text, what));

  function drawMethods() {
    const { metrics, commands, notes, version } = gecval.data;
    const signatures = metrics.map(({ name, signature }) => [
      element("dt", {}, isolated(name)), element("dd", {}, copied(signature ?? write.UNDEFINED, `signature of ${gecval.visible(name)}`))]);
    replaceBody(byId("methods"),
      element("h3", {}, "Commands"),
      element("p", {}, `Run these to get the same numbers (gecval ${version}).`),
      commands.map((command, index) => copied(command, `command ${index + 1}`)),
      element("h3", {}, "Signatures"),
      element("p", {}, "Quote them with the scores: they name the metric, its parameters and the version."),
      element("dl", { class: "signatures" }, signatures),
      notes?.length ? [element("h3", {}, "Notes"), element("ul", {}, notes.map((note) => element("li", {}, isolated(note))))] : null);
  }

  function drawChanges() {
    drawTables("changes", gecval.data.changes, "Good systems change about as much as people do. One that changes far less is cautious, whatever its precision.");
    drawTables("coverage", gecval.data.coverage, "A right correction that no reference has counts as an error. The fewer references, the more of them are hidden.");
  }

  Object.assign(gecval, { drawMethods, drawChanges });
})();
