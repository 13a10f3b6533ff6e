// The matrix of paired tests: row minus column, Holm-corrected. Sign and words say what colour says.
(() => {
  "use strict";

  const { element, isolated, unseen, byId, replaceBody, write } = gecval;

  /** The test of a row against a column, turned around where the data hold the column against the row. */
  function pairTest(metric, a, b) {
    for (const pair of gecval.data.pairs) {
      if (pair.metric !== metric) continue;
      if (pair.a === a && pair.b === b) return pair;
      if (pair.a === b && pair.b === a)
        return { ...pair, a, b, difference: -pair.difference, interval: pair.interval && [-pair.interval[1], -pair.interval[0]] };
    }
    return null;
  }

  function cell(metric, row, column) {
    if (row === column) return element("td", { class: "self" }, unseen("the same system"));
    const test = pairTest(metric, row, column);
    if (!test) return element("td", { class: "number muted" }, write.UNDEFINED);
    const { systems, metrics } = gecval.data;
    const ahead = metrics[metric].higher ? test.difference > 0 : test.difference < 0;
    const verdict = test.significant ? (ahead ? "better" : "worse") : "even";
    const words = { better: `${systems[row]} is better than ${systems[column]}`, worse: `${systems[row]} is worse than ${systems[column]}`, even: "not significant" }[verdict];
    return element("td", {
      class: `number test ${verdict}`, "data-a": row, "data-b": column,
      title: gecval.visible(`${words}; difference ${write.signed(test.difference)} ${write.interval(test.interval)}, corrected p ${write.probability(test.p)}`),
    },
      element("span", { class: "difference" }, write.signed(test.difference, 3)),
      element("small", {}, `p ${write.probability(test.p)}`),
      unseen(`, ${verdict === "even" ? "not significant" : verdict}`));
  }

  /** A click on a cell compares that pair below; the menus of the panel do the same from the keyboard. */
  function choosePair(event) {
    const test = event.target.closest("td.test");
    if (!test) return;
    gecval.choose({ a: Number(test.dataset.a), b: Number(test.dataset.b) });
    gecval.show("deciding");
  }

  function drawTests() {
    const { metric } = gecval.state;
    const { systems, metrics, pairs } = gecval.data;
    const section = byId("tests");
    if (systems.length < 2 || !pairs?.length) {
      section.hidden = true;
      return;
    }
    const order = gecval.bestFirst(gecval.whole.grid[metric], metrics[metric].higher);
    const legend = element("p", { class: "legend" },
      element("span", { class: "swatch better" }, "+ better"), " ",
      element("span", { class: "swatch worse" }, "− worse"), " ",
      element("span", { class: "swatch even" }, "not significant"),
      metrics[metric].higher ? "" : " A negative difference is better under this metric.");
    const table = element("table", { class: "matrix", on: { click: choosePair } },
      element("caption", {}, `Row minus column under ${metrics[metric].name}: the difference, and p of the paired test, corrected for the number of tests (Holm). `,
        "Coloured and bold: significant at .05. Choose a cell to see the sentences that decide."),
      element("thead", {}, element("tr", {}, element("td"), order.map((system) => element("th", { scope: "col", class: "system" }, isolated(systems[system]))))),
      element("tbody", {}, order.map((row) => element("tr", {},
        element("th", { scope: "row", class: "system" }, isolated(systems[row])), order.map((column) => cell(metric, row, column))))));
    replaceBody(section, gecval.wholeNote(), legend,
      element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Paired tests" }, table));
  }

  /** A reminder, where filters are on, that a section is about all sentences. */
  gecval.wholeNote = () =>
    gecval.filtered() ? element("p", { class: "scope" }, `All ${write.plural(gecval.data.sentences, "sentence")}: the filters do not change this part.`) : null;

  Object.assign(gecval, { pairTest, drawTests });
})();
