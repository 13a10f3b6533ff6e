// The matrix of paired tests: row minus column, Holm-corrected. Sign and words say what colour says.
(() => {
  "use strict";

  const { element, isolated, unseen, byId, replaceBody, write, visible } = gecval;
  const { table, column, rowHead, cell, row, region } = gecval;

  let tests = null;

  /** The test of A against B, difference A − B; turned around where the data hold B against A. */
  function pairTest(metric, a, b) {
    tests ??= new Map(gecval.data.pairs.map((pair) => [`${pair.metric} ${pair.a} ${pair.b}`, pair]));
    const straight = tests.get(`${metric} ${a} ${b}`);
    if (straight) return straight;
    const turned = tests.get(`${metric} ${b} ${a}`);
    if (!turned) return null;
    const { difference, interval } = turned;
    return { ...turned, a, b, difference: -difference, interval: interval && [-interval[1], -interval[0]] };
  }

  function testCell(metric, a, b) {
    if (a === b) return cell(unseen("the same system"), "self");
    const test = pairTest(metric, a, b);
    if (!test) return cell(write.UNDEFINED, "number muted");
    const { systems, metrics } = gecval.data;
    const { difference, interval, p, significant } = test;
    const ahead = metrics[metric].higher ? difference > 0 : difference < 0;
    const verdict = significant ? (ahead ? "better" : "worse") : "even";
    const words = significant ? `${systems[a]} is ${verdict} than ${systems[b]}` : "not significant";
    const bounds = write.interval(interval);
    const numbers = `difference ${write.signed(difference)} ${bounds}, corrected p ${write.probability(p)}`;
    const more = { "data-a": a, "data-b": b, title: visible(`${words}; ${numbers}`) };
    const content = [
      element("span", { class: "difference" }, write.signed(difference, 3)),
      element("small", {}, `p ${write.probability(p)}`),
      unseen(significant ? `, ${verdict}` : ", not significant"),
    ];
    return cell(content, `test ${verdict}`, more);
  }

  /** A click on a cell compares that pair below; the menus of the panel do the same from the keyboard. */
  function choosePair({ target }) {
    const test = target.closest("td.test");
    if (!test) return;
    gecval.choose({ a: Number(test.dataset.a), b: Number(test.dataset.b) });
    gecval.show(byId("deciding").hidden ? "sentences" : "deciding");
  }

  const legend = (higher) =>
    element(
      "p",
      { class: "legend" },
      element("span", { class: "swatch better" }, `${higher ? "+" : "−"} row better`),
      element("span", { class: "swatch worse" }, `${higher ? "−" : "+"} row worse`),
      element("span", { class: "swatch even" }, "not significant"),
    );

  function drawTests() {
    const { metric } = gecval.state;
    const { systems, metrics, pairs } = gecval.data;
    const section = byId("tests");
    section.hidden = systems.length < 2 || !pairs.length;
    if (section.hidden) return;
    const { name, higher } = metrics[metric];
    const order = gecval.bestFirst(gecval.whole.grid[metric], higher);
    const matrix = table(
      { class: "matrix", on: { click: choosePair } },
      `Row minus column under ${visible(name)}`,
      [element("td"), order.map((system) => column(isolated(systems[system]), "system"))],
      order.map((a) =>
        row(
          rowHead(isolated(systems[a]), "system"),
          order.map((b) => testCell(metric, a, b)),
        ),
      ),
    );
    replaceBody(
      section,
      gecval.wholeNote(),
      element(
        "p",
        { class: "lead" },
        "Each cell: the difference of two scores, and p of the paired test, corrected for the number of tests (Holm). ",
        "Bold and coloured: significant at .05. Choose a cell to compare the two systems below.",
      ),
      legend(higher),
      region("Paired tests", matrix),
    );
  }

  /** A reminder that a section is about all sentences. It is seen where filters are on (html[data-filtered]). */
  const wholeNote = () =>
    element(
      "p",
      { class: "scope whole-note" },
      `All ${write.plural(gecval.data.sentences, "sentence")}: filters do not change this part.`,
    );

  Object.assign(gecval, { drawTests, wholeNote });
})();
