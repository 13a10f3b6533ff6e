// Tables that come as they are: how much was changed, what the references hide. Signatures and commands to copy.
(() => {
  "use strict";

  const { element, isolated, byId, replaceBody, write, visible } = gecval;
  const { table, column, rowHead, cell, row, region } = gecval;

  const LEADS = {
    changes:
      "Good systems change about as much as people do. One that changes far less is cautious, whatever its precision.",
    coverage:
      "A valid correction that no reference has counts as an error. The fewer references, the more of them are hidden.",
  };

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

  function drawGiven() {
    for (const [id, lead] of Object.entries(LEADS)) {
      const { tables = [] } = gecval.data[id] ?? {};
      if (tables.length) replaceBody(byId(id), element("p", { class: "lead" }, lead), tables.map(givenTable));
    }
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
      element("code", {}, visible(text)),
    );
    return element("div", { class: "copied" }, shown, button);
  }

  function drawMethods() {
    const { metrics, commands, notes, version } = gecval.data;
    const signature = (metric) => [
      element("dt", {}, isolated(metric.name)),
      element("dd", {}, copyable(metric.signature, `signature of ${visible(metric.name)}`)),
    ];
    replaceBody(
      byId("methods"),
      element("h3", {}, "Commands"),
      element("p", {}, `These print the same numbers (gecval ${version}).`),
      commands.map((command, index) => copyable(command, `command ${index + 1}`)),
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
