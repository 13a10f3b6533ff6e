// Out of the page: sentences as CSV, charts as pictures. Files are made here; nothing leaves the reader's machine.
(() => {
  "use strict";

  const { element, byId, write } = gecval;

  /** Offer a file for download. */
  function save(name, content) {
    const address = URL.createObjectURL(content);
    const link = element("a", { href: address, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }

  /** A name for a file, from the title of the page. */
  const fileName = (what) => `${byId("title").textContent.trim().replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 60)}-${what}`;

  /** A cell of a CSV file. A text that a spreadsheet would run as a formula gets a quote before it. */
  function csvCell(value) {
    if (typeof value === "number") return Number.isFinite(value) ? String(value) : "";
    const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  }

  /** The sentences that are in, in their order: texts of all, and every metric's score of every system. */
  function sentencesAsCsv() {
    const { data, view } = gecval;
    const most = Math.max(0, ...data.references.map((texts) => texts.length));
    const numbers = Array.from({ length: most }, (_, index) => index);
    const head = [
      "sentence",
      "source",
      ...numbers.map((index) => `reference ${index + 1}`),
      ...data.systems,
      ...data.metrics.flatMap(({ name }) => data.systems.map((system) => `${name}: ${system}`)),
    ];
    const line = (sentence) => [
      sentence + 1,
      data.sources[sentence],
      ...numbers.map((index) => data.references[sentence][index] ?? ""),
      ...data.outputs[sentence],
      ...data.metrics.flatMap((_, metric) => data.systems.map((_, system) => gecval.sentenceScore(metric, sentence, system))),
    ];
    return `${[head, ...view.order.map(line)].map((cells) => cells.map(csvCell).join(",")).join("\r\n")}\r\n`;
  }

  function csvButton() {
    const click = () => save(fileName("sentences.csv"), new Blob(["\ufeff", sentencesAsCsv()], { type: "text/csv" }));
    const count = write.plural(gecval.view.count, "sentence");
    return element("button", { type: "button", id: "save-csv", title: `The ${count} shown, with texts and scores`, on: { click } }, "Save as CSV");
  }

  const STYLES = ["fill", "stroke", "stroke-width", "stroke-linecap", "opacity", "font-family", "font-size", "font-weight"];

  /** A drawing that needs no page: what style sheets say is written into it, in the colours of white paper. */
  function standalone(drawing) {
    const holder = element("div", { class: "paper unseen", "aria-hidden": "true" });
    holder.append(drawing);
    document.body.append(holder);
    for (const node of drawing.querySelectorAll("*")) {
      const style = getComputedStyle(node);
      for (const name of STYLES) node.setAttribute(name, style.getPropertyValue(name));
      node.removeAttribute("class");
    }
    holder.remove();
    drawing.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    return new XMLSerializer().serializeToString(drawing);
  }

  const SCALE = 3; // pixels of a PNG for each of the drawing: sharp in print

  async function asPng(text, width, height) {
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
    await image.decode();
    const canvas = element("canvas", { width: SCALE * width, height: SCALE * height });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return new Promise((done) => canvas.toBlob(done, "image/png"));
  }

  async function savePicture(name, drawing, kind) {
    const [width, height] = ["width", "height"].map((side) => Number(drawing.getAttribute(side)));
    const text = standalone(drawing);
    const svg = () => new Blob([text], { type: "image/svg+xml" });
    save(fileName(`${name}.${kind}`), kind === "svg" ? svg() : await asPng(text, width, height));
  }

  /** Buttons that save a picture; `make` draws it when it is asked for. */
  function pictureButtons(name, make) {
    const button = (kind) => {
      const click = () => savePicture(name, make(), kind);
      const label = `Save the picture ${name} as ${kind.toUpperCase()}`;
      return element("button", { type: "button", class: "save quiet", "aria-label": label, "data-picture": `${name}.${kind}`, on: { click } }, kind.toUpperCase());
    };
    return element("p", { class: "buttons saving" }, element("span", { class: "note" }, "Picture:"), button("svg"), button("png"));
  }

  /** What stands below the title of a picture: a picture is seen without its page. */
  function pictureSubtitle({ whole = false } = {}) {
    const { corpus, sentences, level } = gecval.data;
    const whiskers = level ? `lines: ${Math.round(100 * level)}% intervals` : "";
    const count = gecval.filtered() && !whole ? `${write.count(gecval.view.count)} of ${write.plural(sentences, "sentence")}` : write.plural(sentences, "sentence");
    return [corpus, count, whiskers].filter(Boolean).join(" · ");
  }

  Object.assign(gecval, { save, csvButton, sentencesAsCsv, pictureButtons, pictureSubtitle, standalone, fileName });
})();
