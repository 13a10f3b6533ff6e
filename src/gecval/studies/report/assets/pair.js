// A against B: the difference under every metric, and in how many sentences A is better, worse or equal.
(() => {
  "use strict";

  const { element, isolated, byId, replaceBody, write, charts, visible } = gecval;
  const { table, column, rowHead, cell, row, region } = gecval;

  const names = () => [gecval.state.a, gecval.state.b].map((system) => visible(gecval.data.systems[system]));

  /** A and B always differ: choosing the other's system swaps the two. */
  function choosePairMember(name, system) {
    const other = name === "a" ? "b" : "a";
    const swapped = gecval.state[other] === system ? { [other]: gecval.state[name] } : {};
    gecval.choose({ [name]: system, ...swapped });
  }

  function pairMenus(place) {
    const { systems } = gecval.data;
    const menu = (name) => {
      const change = ({ target }) => choosePairMember(name, Number(target.value));
      const options = systems.map((system, index) => gecval.option(index, system, index === gecval.state[name]));
      const id = `${place}-${name}`;
      return [element("label", { for: id }, name.toUpperCase()), element("select", { id, on: { change } }, options)];
    };
    return [menu("a"), menu("b")];
  }

  /** Whether A is better, worse, or neither by the test. */
  function outcome(metric, { difference, significant }) {
    if (!significant) return "even";
    return difference > 0 === gecval.data.metrics[metric].higher ? "better" : "worse";
  }

  /** The metrics that have a test of A and B: [metric, test]. */
  const tested = () =>
    gecval.data.metrics
      .map((_, metric) => [metric, gecval.pairTest(metric, gecval.state.a, gecval.state.b)])
      .filter(([, test]) => test);

  /** A scale for each metric, or one for all where their scores are alike in size. */
  function scales(pairs, width) {
    const bounds = ({ difference, interval }) => [difference, ...(interval ?? [])].filter(Number.isFinite);
    const sizes = pairs.map(([, test]) => Math.max(...bounds(test).map(Math.abs), 0));
    const one = Math.max(...sizes) <= 20 * Math.min(...sizes.filter((size) => size > 0));
    const shared = charts.scale([0, ...pairs.flatMap(([, test]) => bounds(test))], width);
    return { shared: one ? shared : null, of: (test) => (one ? shared : charts.scale([0, ...bounds(test)], width)) };
  }

  function differencesTable() {
    const { metrics, systems } = gecval.data;
    const { a, b } = gecval.state;
    const pairs = tested();
    const scale = scales(pairs, 180);
    const whole = gecval.whole.grid;
    const words = { better: "A is better", worse: "A is worse", even: "not significant" };
    const line = ([metric, test]) => {
      const kind = outcome(metric, test);
      const name = [isolated(metrics[metric].name), metrics[metric].higher ? "" : " (lower is better)"];
      return row(
        rowHead(name, metric === gecval.state.metric ? "system chosen" : "system"),
        cell([element("span", { class: `narrow-swatch ${kind}` }, write.signed(test.difference)), gecval.narrowInterval(write.interval(test.interval, 3))], "number strong"),
        cell(charts.differenceChart(scale.of(test), test.difference, test.interval, kind), "plot"),
        cell(write.interval(test.interval, 3), "number muted wide-only"),
        cell(write.bounded(test.p), "number"),
        cell(element("span", { class: `swatch ${kind}` }, words[kind]), "wide-only"),
        [a, b].map((system) => cell(write.score(whole[metric][system].score), "number muted wide-only")),
      );
    };
    return table(
      { class: "differences", id: "differences-table" },
      `Difference of the scores, A − B, with ${Math.round(100 * (gecval.data.level ?? 0.95))}% intervals; p is corrected for the number of tests, intervals are not`,
      [
        column("Metric"),
        column("A − B", "number"),
        column([element("span", { class: "unseen" }, "Difference, drawn"), scale.shared ? charts.axis(scale.shared) : ""], "plot"),
        column("Interval", "number wide-only"),
        column("p", "number"),
        column("Verdict", "wide-only"),
        [a, b].map((system) => column(isolated(systems[system]), "number wide-only")),
      ],
      pairs.map(line),
    );
  }

  function picture() {
    const [first, second] = names();
    const rows = tested().map(([metric, { difference, interval }]) => ({
      name: gecval.data.metrics[metric].name,
      value: difference,
      interval,
      text: write.signed(difference),
    }));
    return charts.picture({ title: `${first} − ${second}`, subtitle: gecval.pictureSubtitle({ whole: true }), rows, zero: true });
  }

  /** In how many of the sentences that are in A is better, equal, worse. */
  function countTurns({ mask }) {
    const turns = { better: 0, equal: 0, worse: 0 };
    for (let sentence = 0; sentence < mask.length; sentence++) {
      if (!mask[sentence]) continue;
      const turn = gecval.turnOf(gecval.state, sentence);
      turns[turn > 0 ? "better" : turn < 0 ? "worse" : "equal"]++;
    }
    return turns;
  }

  let turn = 0; // counts tallies: one that comes late is dropped

  /**
   * The tally alone: the only part of the section that follows the filters, but for its own, which it offers.
   */
  async function drawTally() {
    if (!byId("tally")) return;
    const now = ++turn;
    const { state } = gecval;
    const { mask, count } = await gecval.select({ ...state, turn: "" });
    if (now !== turn || !byId("tally")) return;
    const turns = countTurns({ mask });
    const [first, second] = names();
    const { name, higher } = gecval.data.metrics[state.metric];
    const kinds = { better: "better", worse: "worse", equal: "even" };
    const show = (kind, text) => {
      const sorted = kind === "equal" ? { sort: "file", down: 0 } : { sort: "difference", down: Number((kind === "better") === higher) };
      const pressed = state.turn === kind;
      const click = () => {
        gecval.choose(pressed ? { turn: "" } : { turn: kind, ...sorted });
        if (!pressed) gecval.show("sentences");
      };
      const button = { type: "button", id: `turn-${kind}`, disabled: !turns[kind], "aria-pressed": String(pressed), on: { click } };
      return element("button", button, element("span", { class: `swatch ${kinds[kind]}` }, write.count(turns[kind])), ` ${text}`);
    };
    const part = count < gecval.data.sentences ? `, of ${write.plural(count, "sentence")}` : "";
    const focused = document.activeElement?.id;
    byId("tally").replaceChildren(
      element("p", {}, `Sentence by sentence, from ${second} (B) to ${first} (A), by ${visible(name)}${part}:`),
      charts.tallyBar(turns),
      element("p", { class: "buttons" }, show("better", "got better"), show("worse", "got worse"), show("equal", "stayed equal")),
    );
    if (focused && document.activeElement === document.body) byId(focused)?.focus({ preventScroll: true });
  }

  function drawPair() {
    const section = byId("pair");
    section.hidden = gecval.data.systems.length < 2;
    if (section.hidden) return;
    const compared = tested().length;
    replaceBody(
      section,
      compared ? gecval.wholeNote() : null,
      element("p", { class: "inline-controls" }, pairMenus("pair")),
      compared ? region("Differences of A and B", differencesTable()) : null,
      compared ? gecval.pictureButtons("differences", picture) : null,
      element("div", { id: "tally", class: "tally" }),
    );
    void drawTally();
  }

  Object.assign(gecval, { drawPair, drawTally, choosePairMember, pairMenus });
})();
