// The sentences that decide between A and B: how few turn the verdict around, which they are, and the influence of all.
(() => {
  "use strict";

  const { element, isolated, unseen, byId, replaceBody, write, charts } = gecval;

  const LISTED = 50; // sentences named here; the explorer has them all

  function pairMenus() {
    const { a, b } = gecval.state;
    const menu = (name, chosen) => element("select", { id: `deciding-${name}`, on: { change: ({ target }) => choose(name, Number(target.value)) } },
      gecval.data.systems.map((system, index) => gecval.option(index, system, index === chosen)));
    // Choosing B's system as A swaps the two: A and B always differ.
    const choose = (name, system) => {
      const other = name === "a" ? "b" : "a";
      gecval.choose(gecval.state[other] === system ? { [name]: system, [other]: gecval.state[name] } : { [name]: system });
    };
    return element("p", { class: "inline-controls" },
      element("label", { for: "deciding-a" }, "A "), menu("a", a), " ",
      element("label", { for: "deciding-b" }, "B "), menu("b", b), " under ", element("strong", {}, isolated(gecval.data.metrics[gecval.state.metric].name)));
  }

  /** One sentence that says it all. */
  function statement(decision) {
    const { systems } = gecval.data;
    const [a, b] = [systems[decision.a], systems[decision.b]].map(gecval.visible);
    const of = `${write.count(decision.count)} of ${write.plural(decision.of, "sentence")}`;
    const number = element("strong", {}, of);
    const difference = `${write.signed(decision.difference)}${write.known(decision.p) ? `, p ${write.probability(decision.p)}` : ""}`;
    const rest = decision.count
      ? [` ${decision.count === 1 ? "decides" : "decide"} between ${a} and ${b}: without ${decision.count === 1 ? "it" : "them"} the verdict turns around (difference ${difference} with all sentences).`]
      : [` need to go: no small set turns the difference of ${difference} between ${a} and ${b} around.`];
    return element("p", { class: "lead", id: "deciding-statement" }, number, rest);
  }

  function list(decision) {
    const { metric, a, b } = gecval.state;
    const row = (sentence) => element("tr", {},
      element("td", { class: "number" }, element("button", {
        type: "button", class: "link", on: { click: () => gecval.goTo(sentence) },
      }, unseen("Sentence "), write.count(sentence + 1))),
      element("td", { class: "number" }, write.signed(decision.influence?.[sentence], 5)),
      element("td", { class: "number" }, write.score(gecval.sentenceScore(metric, sentence, a), 3)),
      element("td", { class: "number" }, write.score(gecval.sentenceScore(metric, sentence, b), 3)),
      element("td", { class: "text", dir: "auto" }, isolated(gecval.data.sources[sentence])));
    return element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Deciding sentences" },
      element("table", { class: "deciding" },
        element("caption", {}, "The deciding sentences. Influence: what a sentence adds to A − B."),
        element("thead", {}, element("tr", {}, ["Sentence", "Influence", "A", "B"].map((text) => element("th", { scope: "col", class: "number" }, text)), element("th", { scope: "col" }, "Source"))),
        element("tbody", {}, decision.sentences.slice(0, LISTED).map(row))));
  }

  function buttons(decision) {
    const to = (choice, text) => element("button", {
      type: "button", on: { click: () => { gecval.choose({ ...gecval.withoutFilters(), ...choice }); gecval.show("deciding" in choice && choice.deciding === "without" ? "ranking" : "sentences"); } },
    }, text);
    return element("p", { class: "buttons" },
      decision.count ? [to({ deciding: "only" }, `Show these ${write.plural(decision.count, "sentence")}`), " ", to({ deciding: "without" }, "Score without them"), " "] : null,
      decision.influence ? to({ sort: "influence", down: 1 }, "Sort all sentences by influence") : null);
  }

  function drawDeciding() {
    const section = byId("deciding");
    if (gecval.data.systems.length < 2 || !gecval.data.deciding?.length) {
      section.hidden = true;
      return;
    }
    const decision = gecval.decisionOf(gecval.state);
    if (!decision) {
      const systems = [gecval.state.a, gecval.state.b].map((system) => gecval.visible(gecval.data.systems[system]));
      const pairs = gecval.data.deciding.filter(({ metric }) => metric === gecval.state.metric);
      const others = pairs.map(({ a, b }) => element("li", {}, element("button", { type: "button", class: "link", on: { click: () => gecval.choose({ a, b }) } },
        isolated(gecval.data.systems[a]), " and ", isolated(gecval.data.systems[b]))));
      replaceBody(section, gecval.wholeNote(), pairMenus(),
        element("p", { class: "message" }, `The page does not hold the deciding sentences of ${systems.join(" and ")} under this metric. gecval compare --deciding finds them.`),
        others.length ? [element("p", {}, "It holds those of"), element("ul", { class: "pairs" }, others)] : null);
      return;
    }
    const plot = decision.influence && element("figure", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Influence of every sentence" },
      charts.influencePlot(decision.influence, [...decision.sentences], gecval.goTo),
      element("figcaption", {}, "Influence of every sentence on A − B, in the order of the file. Rings: the deciding sentences."));
    replaceBody(section, gecval.wholeNote(), pairMenus(), statement(decision),
      decision.note ? element("p", { class: "note" }, isolated(decision.note)) : null,
      buttons(decision), plot, decision.sentences.length ? list(decision) : null);
  }

  gecval.drawDeciding = drawDeciding;
})();
