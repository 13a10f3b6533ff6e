// Tables that come as they are: how much was changed, what the references hide. Signatures and commands to copy.
(() => {
  "use strict";

  const { element, isolated, byId, replaceBody, write, visible } = gecval;
  const { table, column, rowHead, cell, row, region } = gecval;

  /** A table of another study, as its own command prints it. */
  function givenTable({ title, columns, right, rows, notes }) {
    const kind = (index) => (right?.[index] ? "number" : null);
    const text = (value) => (value === null ? write.UNDEFINED : isolated(value));
    const line = ([first, ...rest]) =>
      row(
        rowHead(text(first)),
        rest.map((value, index) => cell(text(value), kind(index + 1))),
      );
    const heading = columns.map((name, index) => column(isolated(name), kind(index)));
    return [
      region(visible(title ?? ""), table({}, isolated(title ?? ""), heading, rows.map(line))),
      (notes ?? []).map((note) => element("p", { class: "note" }, isolated(note))),
    ];
  }

  /** The tables as commands print them, folded: who wants the exact numbers opens them. */
  const folded = (tables, verb) =>
    element(
      "details",
      { class: "given" },
      element("summary", {}, `The numbers, as gecval ${verb} prints them`),
      tables.map(givenTable),
    );

  function drawGiven() {
    const { changes, coverage, hidden } = gecval.data;
    if (changes?.tables.length) {
      byId("changes").hidden = false;
      byId("changes").append(folded(changes.tables, "coverage undercorrection"));
    }
    if (!coverage?.tables.length) return;
    const [lead, ...others] = hidden;
    const sentences = [element("p", { class: "lead" }, lead), others.map((text) => element("p", {}, isolated(text)))];
    replaceBody(byId("coverage"), gecval.wholeNote(), sentences, folded(coverage.tables, "coverage"));
  }

  /** Copy a text. Where there is no clipboard for a file, a selection is copied instead. */
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

  function copyable(text, what) {
    const button = element("button", { type: "button", class: "copy", "aria-label": `Copy ${what}` }, "Copy");
    button.addEventListener("click", async () => {
      await copy(text);
      button.textContent = "Copied";
      button.focus();
      setTimeout(() => (button.textContent = "Copy"), 1500);
    });
    const shown = element(
      "pre",
      { tabindex: 0, "aria-label": what, role: "region" },
      element("code", {}, text.split("\n").map(visible).join("\n")),
    );
    return element("div", { class: "copied" }, shown, button);
  }

  function drawMethods() {
    const { metrics, commands, notes, version, latex } = gecval.data;
    const signature = (metric) => [
      element("dt", {}, isolated(metric.name)),
      element("dd", {}, copyable(metric.signature, `signature of ${visible(metric.name)}`)),
    ];
    replaceBody(
      byId("methods"),
      element("h3", {}, "Commands"),
      element("p", {}, `These print the same numbers (gecval ${version}).`),
      commands.map((command, index) => copyable(command, `command ${index + 1}`)),
      element("h3", {}, "For a paper"),
      element("p", {}, "The scores as a table in LaTeX (it needs the package booktabs)."),
      element("details", { class: "given" }, element("summary", {}, "LaTeX"), copyable(latex, "LaTeX table")),
      element("h3", {}, "Signatures"),
      element(
        "p",
        {},
        "Quote a score with its signature: it names the metric, its parameters, the texts and the version.",
      ),
      element("dl", { class: "signatures" }, metrics.map(signature)),
      notes?.length ? element("h3", {}, "Notes") : null,
      notes?.length
        ? element(
            "ul",
            {},
            notes.map((note) => element("li", {}, isolated(note))),
          )
        : null,
    );
  }

  Object.assign(gecval, { drawMethods, drawGiven });
})();
