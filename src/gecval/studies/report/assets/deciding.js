// The sentences that decide between A and B: how few turn the verdict around, which they are, and the influence of all.
(() => {
  "use strict";

  const { element, isolated, unseen, byId, replaceBody, write, charts, visible } = gecval;
  const { table, column, cell, row, region } = gecval;

  const LISTED = 12; // sentences named here; the explorer has them all

  function pairMenus() {
    const metric = element("strong", {}, isolated(gecval.data.metrics[gecval.state.metric].name));
    return element("p", { class: "inline-controls" }, gecval.pairMenus("deciding"), "under ", metric);
  }

  /** What it takes to turn the order of A and B around, in one or two sentences. */
  function statement({ a, b, count, of, difference, without, p, proven }) {
    const [first, second] = [a, b].map((system) => visible(gecval.data.systems[system]));
    const all = write.plural(of, "sentence");
    // Without a significant difference there is no decision; the list below is then only of what weighs most.
    if (write.known(p) && p >= 0.05 && count !== 0)
      return element(
        "p",
        { class: "lead", id: "deciding-statement" },
        element("strong", {}, "Nothing is decided"),
        `: the difference of ${first} and ${second}, ${write.signed(difference)}, is not significant (p\u00a0${write.probability(p)}).`,
        count === null ? "" : ` Other sentences could put either first: without ${count === 1 ? "one" : write.count(count)} of ${all}, the order is the other way around.`,
      );
    const number = (text) => element("strong", {}, text);
    const numbers = `${write.signed(difference)}${write.known(p) ? ` (p ${write.probability(p)})` : ""}`;
    const said = () => {
      if (count === null)
        return [
          `${first} − ${second} = ${numbers}. `,
          number(`No set of the ${all}`),
          ` ${proven ? "turns" : "was found that turns"} this around.`,
        ];
      if (count === 0) return [number("They tie"), `: no sentence has to go to turn ${first} and ${second} around.`];
      const [decide, them] = count === 1 ? ["decides", "it"] : ["decide", "them"];
      const becomes = `without ${them} the difference of ${numbers} becomes ${write.signed(without)}.`;
      const rest = ` ${decide} between ${first} and ${second}: ${becomes}`;
      return [
        number(`${write.count(count)} of ${all}`),
        rest,
        proven ? " No smaller set does this." : " No smaller set was found.",
      ];
    };
    return element("p", { class: "lead", id: "deciding-statement" }, said());
  }

  function decidingTable(decision) {
    const { metric, a, b } = gecval.state;
    const line = (sentence) => {
      const open = { type: "button", class: "link", on: { click: () => gecval.goTo(sentence) } };
      return row(
        cell(element("button", open, unseen("Sentence "), write.count(sentence + 1)), "number"),
        cell(write.signed(decision.influence?.[sentence], 5), "number"),
        [a, b].map((system) => cell(write.score(gecval.sentenceScore(metric, sentence, system), 3), "number per-system")),
        cell(isolated(gecval.data.sources[sentence]), "text", { dir: "auto", lang: gecval.data.language }),
      );
    };
    const { count } = decision;
    const named =
      count > LISTED ? `The first ${LISTED} of ${write.count(count)} deciding sentences.` : "The deciding sentences.";
    return table(
      { class: "deciding", id: "deciding-table" },
      `${named} Influence: A − B minus A − B without the sentence. A and B: the sentence's own scores.`,
      [["Sentence", "Influence"].map((name) => column(name, "number")), ["A", "B"].map((name) => column(name, "number per-system")), column("Source")],
      [...decision.sentences].slice(0, LISTED).map(line),
    );
  }

  function buttons({ count, influence }) {
    const to = (choice, place, text) => {
      const click = () => {
        gecval.choose({ ...gecval.withoutFilters(), ...choice });
        gecval.show(place);
      };
      return element("button", { type: "button", on: { click } }, text);
    };
    return element(
      "p",
      { class: "buttons" },
      count
        ? to({ deciding: "only" }, "sentences", `Show ${count === 1 ? "it" : `these ${write.count(count)}`}`)
        : null,
      count ? to({ deciding: "without" }, "ranking", `Score without ${count === 1 ? "it" : "them"}`) : null,
      influence ? to({ sort: "influence", down: 1 }, "sentences", "Sort all sentences by influence") : null,
    );
  }

  function plot({ influence, sentences }) {
    if (!influence) return null;
    return element(
      "figure",
      {},
      region("Influence of every sentence", charts.influencePlot(influence, [...sentences], gecval.goTo)),
      element(
        "figcaption",
        {},
        "Influence of every sentence on A − B, in the order of the file. Rings: those that turn the order around.",
      ),
      gecval.pictureButtons("influence", () => charts.influencePlot(influence, [...sentences], () => {})),
    );
  }

  /** The page holds only some pairs: say so, and offer them. */
  function notHeld() {
    const { systems, deciding } = gecval.data;
    const [a, b] = [gecval.state.a, gecval.state.b].map((system) => visible(systems[system]));
    const held = deciding.filter(({ metric }) => metric === gecval.state.metric);
    const offer = (pair) => {
      const click = () => gecval.choose({ a: pair.a, b: pair.b });
      const names = [isolated(systems[pair.a]), " and ", isolated(systems[pair.b])];
      return element("li", {}, element("button", { type: "button", class: "link", on: { click } }, names));
    };
    return [
      element(
        "p",
        { class: "message" },
        `The page does not hold those of ${a} and ${b} under this metric: gecval compare --deciding finds them.`,
        held.length ? " It holds those of:" : "",
      ),
      held.length ? element("ul", { class: "pairs" }, held.map(offer)) : null,
    ];
  }

  function drawDeciding() {
    const section = byId("deciding");
    section.hidden = gecval.data.systems.length < 2 || !gecval.data.deciding?.length;
    if (section.hidden) return;
    const decision = gecval.decisionOf(gecval.state);
    const content = decision
      ? [
          statement(decision),
          buttons(decision),
          plot(decision),
          decision.count ? region("Deciding sentences", decidingTable(decision)) : null,
        ]
      : notHeld();
    replaceBody(section, gecval.wholeNote(), pairMenus(), content);
  }

  Object.assign(gecval, { drawDeciding });
})();
