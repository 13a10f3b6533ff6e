// The matrix of paired tests: row minus column, Holm-corrected. Sign and words say what colour says.
(() => {
  "use strict";

  const { element, isolated, unseen, byId, replaceBody, write, charts, visible } = gecval;
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

  // From here on a cell has a sign instead of numbers: hundreds of numbers are not read, and no window is so wide.
  const MANY = 17;
  const isMany = () => gecval.data.systems.length >= MANY;

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
    const sign = significant ? (difference > 0 ? "+" : "−") : "";
    const more = { "data-a": a, "data-b": b, "data-sign": sign, title: visible(`${words}; ${numbers}`) };
    const outcome = significant ? `, ${verdict}` : ", not significant";
    const [short, chance] = [write.signed(difference, 3), `p ${write.bounded(p)}`];
    const content = isMany()
      ? unseen(`${short} ${chance}${outcome}`)
      : [element("span", { class: "difference" }, short), element("small", {}, chance), unseen(outcome)];
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

  /** Paper is narrow: the numbers of the rows stand for the names of the columns there. */
  const onPaper = (text) => element("span", { class: "paper-only", "aria-hidden": "true" }, text);

  const lead = () =>
    isMany()
      ? [
          "Each cell: the sign of the difference of two scores, where the paired test, corrected for the number of tests ",
          "(Holm), is significant at .05. ",
          element("span", { class: "screen-only" }, "Point at a cell to see the numbers; choose it to compare the two below."),
        ]
      : [
          "Each cell: the difference of two scores, and p of the paired test, corrected for the number of tests (Holm). ",
          "Bold and coloured: significant at .05. ",
          element("span", { class: "screen-only" }, "Choose a cell to compare the two systems below."),
        ];

  /** Many pairs often share one p: the least that there can be. */
  function leastNote(metric) {
    const { leastP, pairs } = gecval.data;
    if (!leastP || !pairs.some((pair) => pair.metric === metric && pair.p <= leastP + 1e-9)) return null;
    const text = `p ≤ ${write.probability(leastP)}: as small as so many tests and random signs can show.`;
    return element("p", { class: "note" }, text);
  }

  function matrixOf(metric, order) {
    const { systems, metrics } = gecval.data;
    const name = (system) => element("span", { class: "name" }, isolated(systems[system]));
    return table(
      { class: isMany() ? "matrix many" : "matrix", on: { click: choosePair } },
      `Row minus column under ${visible(metrics[metric].name)}`,
      [element("td"), order.map((system, index) => column([name(system), onPaper(index + 1)], "system"))],
      order.map((a, index) =>
        row(
          rowHead([onPaper(`${index + 1} `), name(a)], "system"),
          order.map((b) => testCell(metric, a, b)),
        ),
      ),
    );
  }

  /** On a phone, where no matrix fits: one system against each of the others, from best to worst. */
  function listOf(metric, order) {
    const { systems, metrics, level } = gecval.data;
    const chosen = gecval.state.against < 0 ? order[0] : gecval.state.against;
    const others = order.filter((system) => system !== chosen && pairTest(metric, chosen, system));
    const tests = others.map((system) => pairTest(metric, chosen, system));
    const scale = charts.scale([0, ...tests.flatMap(({ difference, interval }) => [difference, ...(interval ?? [])])], 110);
    const line = (system, index) => {
      const { difference, interval, p, significant } = tests[index];
      const verdict = significant ? (difference > 0 === metrics[metric].higher ? "better" : "worse") : "even";
      const compare = () => {
        gecval.choose({ a: chosen, b: system });
        gecval.show("pair");
      };
      const name = element("button", { type: "button", class: "link", on: { click: compare } }, isolated(systems[system]));
      const words = unseen(significant ? `, ${verdict}` : ", not significant");
      return row(
        rowHead(name, "system"),
        cell([element("span", { class: `swatch difference ${verdict}` }, write.signed(difference, 3)), words], "number"),
        cell(charts.differenceChart(scale, difference, interval, verdict), "plot"),
        cell(write.bounded(p), "number"),
      );
    };
    const change = ({ target }) => gecval.choose({ against: Number(target.value) });
    const options = order.map((system) => gecval.option(system, systems[system], system === chosen));
    const percent = Math.round(100 * (level ?? 0.95));
    return element(
      "div",
      { class: "narrow-only" },
      element("p", { class: "inline-controls" }, element("label", { for: "against" }, "System"), element("select", { id: "against", on: { change } }, options)),
      table(
        { class: "against" },
        `${visible(systems[chosen])} minus each of the others under ${visible(metrics[metric].name)}, with ${percent}% intervals. Bold and coloured: p < .05, corrected for the number of all tests (Holm). Choose a name to compare the two.`,
        [column("Other"), column("Difference", "number"), column([unseen("Difference, drawn"), charts.axis(scale)], "plot"), column("p", "number")],
        others.map(line),
      ),
    );
  }

  function drawTests() {
    const { metric } = gecval.state;
    const { systems, metrics, pairs } = gecval.data;
    const section = byId("tests");
    section.hidden = systems.length < 3 || !pairs.length; // two systems have a section of their own
    if (section.hidden) return;
    const { higher } = metrics[metric];
    const order = gecval.bestFirst(gecval.whole.grid[metric], higher);
    replaceBody(
      section,
      gecval.wholeNote(),
      element("div", { class: "wide-only" }, element("p", { class: "lead" }, lead()), legend(higher), region("Paired tests", matrixOf(metric, order))),
      listOf(metric, order),
      leastNote(metric),
    );
  }

  /** A reminder that a section is about all sentences. It is seen where filters are on (html[data-filtered]). */
  const wholeNote = () =>
    element(
      "p",
      { class: "scope whole-note" },
      `All ${write.plural(gecval.data.sentences, "sentence")}: filters do not change this part.`,
    );

  Object.assign(gecval, { drawTests, wholeNote, pairTest });
})();
