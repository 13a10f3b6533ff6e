// Elements from plain values. Text enters the page here, always as a text node or an attribute: none can become markup.
(() => {
  "use strict";

  const SVG = "http://www.w3.org/2000/svg";

  // Characters that are not seen but move or hide others: shown as a symbol, so that a line stays a line.
  // Joiners (U+200C, U+200D) stay: Persian and emoji need them.
  const UNSEEN =
    /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;

  function symbol(character) {
    const code = character.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    if (code === 0x7f) return "\u2421";
    return `‹U+${code.toString(16).toUpperCase().padStart(4, "0")}›`;
  }

  /** A text as it is shown: control characters and marks of direction become symbols. */
  const visible = (text) => String(text).replace(UNSEEN, symbol);

  function fill(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) {
      if (value === null || value === undefined || value === false) continue;
      if (name === "on") for (const [event, listener] of Object.entries(value)) node.addEventListener(event, listener);
      else node.setAttribute(name, value === true ? "" : String(value));
    }
    node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
    return node;
  }

  /** element("td", {class: "score"}, "0.42"): children are elements or texts; lists of them are flattened. */
  const element = (name, attributes = {}, ...children) => fill(document.createElement(name), attributes, children);

  /** The same for a part of a chart. */
  const shape = (name, attributes = {}, ...children) => fill(document.createElementNS(SVG, name), attributes, children);

  /** A text from the corpus or a name from the user: isolated, in its own direction, symbols for what is not seen. */
  const isolated = (text) => element("bdi", {}, visible(text));

  /** An <option>; the browser shows its text alone, so isolation is not needed. */
  const option = (value, text, chosen) => element("option", { value, selected: chosen }, visible(text));

  /** Text for screen readers only. */
  const unseen = (text) => element("span", { class: "unseen" }, visible(text));

  // Tables: every header has a scope, every table a caption, and wide ones scroll in a region that has a name.
  const column = (content, kind, more = {}) => element("th", { scope: "col", class: kind, ...more }, content);
  const rowHead = (content, kind, more = {}) => element("th", { scope: "row", class: kind, ...more }, content);
  const cell = (content, kind, more = {}) => element("td", { class: kind, ...more }, content);
  const row = (...cells) => element("tr", {}, cells);

  /** `bodies` are lists of rows; a rule is drawn between two bodies. */
  function table(attributes, caption, head, ...bodies) {
    return element(
      "table",
      attributes,
      element("caption", {}, element("span", {}, caption)),
      element("thead", {}, row(head)),
      bodies.map((rows) => element("tbody", {}, rows)),
    );
  }

  /** What a reader of paper cannot do. */
  const onScreen = (text) => element("span", { class: "screen-only" }, ` ${text}`);

  /** Content that may be wider than the page: it scrolls, by keyboard too. */
  const region = (label, ...content) =>
    element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": label }, content);

  const byId = (id) => document.getElementById(id);

  /** Put new content in place of what a section holds after its heading. */
  function replaceBody(section, ...content) {
    while (section.children.length > 1) section.lastElementChild.remove();
    section.append(...content.flat(Infinity).filter(Boolean));
    section.hidden = false;
  }

  /** Do something once what was drawn can be seen. A page that is out of sight has no frames. */
  function afterFrame(action) {
    const soon = () => setTimeout(action, 0);
    if (document.hidden) soon();
    else requestAnimationFrame(soon);
  }

  Object.assign(gecval, { element, shape, isolated, option, unseen, visible, byId, replaceBody, afterFrame });
  Object.assign(gecval, { table, column, rowHead, cell, row, region, onScreen });
})();
