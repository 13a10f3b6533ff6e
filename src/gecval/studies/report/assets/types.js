// By type of error: what became of a system's edits, ERRANT's scores by type, and a heat map of systems by types.
(() => {
  "use strict";

  const { element, isolated, unseen, byId, replaceBody, write, charts, visible, OUTCOMES } = gecval;
  const { table, column, rowHead, cell, row, region } = gecval;

  const BAR = 110; // pixels of one bar chart
  const FIT_A_PHONE = 4; // systems of a heat map
  const FEW = 12; // types that are shown at first

  /** Show the sentences with such an edit. */
  function explore(type, system, outcome = "") {
    const shown = [...new Set([system, ...gecval.shownSystems()])];
    gecval.choose({ ...gecval.withoutFilters(), type, by: system, outcome, shown });
    gecval.show("sentences");
  }

  function systemMenu(id = "types-system") {
    const change = ({ target }) => gecval.choose({ system: Number(target.value) });
    const options = gecval.data.systems.map((name, system) =>
      gecval.option(system, name, system === gecval.state.system),
    );
    const menu = element("select", { id, on: { change } }, options);
    return element("p", { class: "inline-controls" }, element("label", { for: id }, "System"), menu);
  }

  function moreButton(number) {
    if (number <= FEW) return null;
    const { more } = gecval.state;
    const click = () => gecval.choose({ more: more ? 0 : 1 });
    const text = more ? `Show the ${FEW} most frequent types` : "Show all types";
    return element(
      "p",
      { class: "buttons" },
      element("button", { type: "button", id: "all-types", on: { click } }, text),
    );
  }

  /** How types are sorted: the most frequent first, or those where A and B differ most. */
  function sortMenu() {
    if (gecval.data.systems.length < 2 || !gecval.data.typeScores?.length) return null;
    const change = ({ target }) => gecval.choose({ types: target.value });
    const choices = [["", "frequency"], ["difference", "A − B"]];
    const options = choices.map(([value, text]) => gecval.option(value, text, value === gecval.state.types));
    return [element("label", { for: "types-sort" }, "Sorted by"), element("select", { id: "types-sort", on: { change } }, options)];
  }

  /** A type as a heading: its name, and what it means on hover and in small letters. */
  const typeHead = (type) => {
    const name = gecval.data.types[type];
    const meaning = gecval.typeMeaning(name);
    return element("th", { scope: "row", title: meaning || null }, isolated(name), meaning ? [" ", element("small", {}, meaning)] : null);
  };

  let scoresOfTypes = null;

  /** ERRANT's score of a system for a type, with its counts. */
  function scoreOf(system, type) {
    scoresOfTypes ??= new Map(gecval.data.typeScores?.map((entry) => [`${entry.system} ${entry.type}`, entry]));
    return scoresOfTypes.get(`${system} ${type}`);
  }

  /** Score of A minus that of B for a type. */
  const typeDifference = (type) => (scoreOf(gecval.state.a, type)?.score ?? NaN) - (scoreOf(gecval.state.b, type)?.score ?? NaN);

  /** Types in the order that the reader has chosen; those that one of the two never has come last. */
  function sortedTypes(types) {
    if (gecval.state.types !== "difference") return types;
    const size = (type) => Math.abs(typeDifference(type));
    return [...types].sort((first, second) => (size(second) || 0) - (size(first) || 0));
  }

  const firstFew = (types) => (gecval.state.more ? types : types.slice(0, FEW));

  /** Types from the most to the least frequent; those that do not occur are left out. */
  function frequent(weights) {
    const types = weights.map((_, type) => type).filter((type) => weights[type] > 0);
    return types.sort((first, second) => weights[second] - weights[first] || first - second);
  }

  /** The marks of the explorer, counted: right, wrong, missed, unneeded. They follow the filters. */
  function outcomeTable(counts, types) {
    const { system } = gecval.state;
    const tops = types.flatMap((type) => Object.values(counts[type]).map(({ sum, interval }) => interval?.[1] ?? sum));
    const scale = charts.scale([0, Math.max(1, ...tops)], BAR, { zero: true, margin: 2 });
    const outcomeCell = (type) => (outcome) => {
      const count = counts[type][outcome];
      const number = write.count(count.sum);
      const button = {
        type: "button",
        class: "plain",
        on: { click: () => explore(type, system, outcome) },
        title: `${number} ${write.interval(count.interval, 0)}: show the sentences`,
        "aria-label": `${number} ${outcome} of type ${visible(gecval.data.types[type])}: show the sentences`,
      };
      const bar = charts.countBar(scale, count, outcome);
      return cell(element("button", button, element("span", { class: "count-number" }, number), bar), "outcome");
    };
    const names = Object.keys(OUTCOMES);
    const heading = (name) => column([element("span", { "aria-hidden": "true" }, `${OUTCOMES[name].sign} `), name]);
    return table(
      { class: "types", id: "types-table" },
      [`Numbers of edits as the sentences below mark them${gecval.ofShown(gecval.view)}, with 95% intervals.`, gecval.onScreen("Choose a bar to see the sentences.")],
      [column("Type"), names.map(heading)],
      types.map((type) => row(typeHead(type), names.map(outcomeCell(type)))),
    );
  }

  const sortedEntries = (entries) => {
    const places = new Map(sortedTypes(entries.map(({ type }) => type)).map((type, place) => [type, place]));
    return [...entries].sort((first, second) => places.get(first.type) - places.get(second.type));
  };

  /** ERRANT's own score of every type, as `gecval score --by-type` gives it. */
  function scoreTable() {
    const { types, typeScores } = gecval.data;
    const entries = (typeScores ?? []).filter(({ system }) => system === gecval.state.system);
    if (!entries.length) return null;
    const size = ({ right, wrong, missed, unneeded }) => right + wrong + missed + unneeded;
    entries.sort((first, second) => size(second) - size(first) || first.type - second.type);
    const scale = charts.scale([0, 1], 220);
    const line = ({ type, right, wrong, missed, unneeded, score, interval }) =>
      row(
        typeHead(type),
        [right, wrong + unneeded, missed].map((number) => cell(write.count(number), "number counted")),
        cell(write.score(score, 3), "number strong"),
        cell(write.interval(interval, 3), "number muted"),
        cell(charts.intervalChart(scale, score, interval), "plot"),
      );
    return table(
      { class: "type-scores" },
      "ERRANT's score by type, against the reference that the whole score chose",
      [
        column("Type"),
        ["tp", "fp", "fn"].map((name) => column(name, "number counted")),
        ["Score", "95% interval"].map((name) => column(name, "number")),
        column([unseen("Score and interval, drawn"), charts.axis(scale)], "plot"),
      ],
      firstFew(sortedEntries(entries)).map(line),
    );
  }

  /** How often a type is in the reference, on average over the references that ERRANT chose for the systems. */
  function editsByType() {
    const { systems, types, typeScores } = gecval.data;
    const weights = types.map(() => 0);
    for (const { type, right, missed } of typeScores) weights[type] += (right + missed) / systems.length;
    return weights;
  }

  const shortScore = (score) => (write.known(score) ? write.fixed(score, 2).replace(/^0/, "") : write.UNDEFINED);

  /** On a phone, where no heat map fits: the chosen system by type, next to the best one of each type. */
  function narrowTypes() {
    const { systems, types } = gecval.data;
    const { system } = gecval.state;
    const weights = editsByType();
    const best = (type) => {
      const known = systems.map((_, index) => index).filter((index) => write.known(scoreOf(index, type)?.score));
      return known.sort((first, second) => scoreOf(second, type).score - scoreOf(first, type).score)[0];
    };
    const shown = (type, index) => {
      const { score } = scoreOf(index, type) ?? {};
      const words = `${gecval.typeTitle(types[type])}, ${systems[index]}: show the sentences`;
      const button = element("button", { type: "button", class: "link", title: visible(words), on: { click: () => explore(type, index) } }, shortScore(score));
      const node = cell(scoreOf(index, type) ? button : write.UNDEFINED, "heat");
      if (write.known(score)) node.style.setProperty("--heat", `${Math.round(Math.min(1, Math.max(0, score)) * 70)}%`);
      return node;
    };
    const line = (type) => {
      const first = best(type);
      return row(
        typeHead(type),
        cell(write.fixed(weights[type], 0), "number muted"),
        shown(type, system),
        first === undefined ? cell(write.UNDEFINED) : shown(type, first),
        cell(first === undefined ? "" : isolated(systems[first]), first === system ? "best-name strong" : "best-name"),
      );
    };
    return element(
      "div",
      { class: "narrow-only" },
      systemMenu("types-system-narrow"),
      table(
        { class: "heat-map narrow-types" },
        "ERRANT's score of a system by type, and the best of all systems. Edits: those that the reference has. Choose a score to see the sentences.",
        [column("Type"), column("Edits", "number"), column(isolated(systems[system])), element("th", { scope: "colgroup", colspan: 2 }, "Best")],
        firstFew(sortedTypes(frequent(weights))).map(line),
      ),
    );
  }

  /** Types by systems: the darker, the better; the number stands in every cell. Types are rows, so none is cut off. */
  function heatMap() {
    const { systems, types, typeScores } = gecval.data;
    if (!typeScores?.length || systems.length < 2) return null;
    const weights = editsByType();
    const heatCell = (type) => (name, system) => {
      const entry = scoreOf(system, type);
      const { score, interval, right, wrong, missed, unneeded } = entry ?? {};
      const bounds = write.interval(interval, 3);
      const counts = `${right} right, ${wrong} wrong, ${missed} missed, ${unneeded} unneeded, ${bounds}`;
      const words = `${name}, ${gecval.typeTitle(types[type])}: ${entry ? counts : "no such edit"}`;
      const node = cell(shortScore(score), "heat", { title: visible(words), "data-system": system, "data-type": type });
      if (write.known(score)) node.style.setProperty("--heat", `${Math.round(Math.min(1, Math.max(0, score)) * 70)}%`);
      return node;
    };
    const click = ({ target }) => {
      const node = target.closest("td.heat");
      if (node) explore(Number(node.dataset.type), Number(node.dataset.system));
    };
    const { a, b } = gecval.state;
    const line = (type) =>
      row(
        typeHead(type),
        cell(write.fixed(weights[type], 0), "number muted edits"),
        cell(write.signed(typeDifference(type), 2), "number strong"),
        systems.map(heatCell(type)),
      );
    return table(
      { class: "heat-map", on: { click } },
      ["ERRANT's score of every system by type: the stronger the colour, the better. Edits: those that the reference has.", gecval.onScreen("Choose a cell to see the sentences.")],
      [
        column("Type"),
        column("Edits", "number edits"),
        column("A − B", "number", { title: visible(`${systems[a]} − ${systems[b]}`) }),
        systems.map((name) => column(element("span", {}, isolated(name)))),
      ],
      firstFew(sortedTypes(frequent(weights))).map(line),
    );
  }

  /** The bars alone: the only part of the section that follows the filters. */
  function drawBars(view) {
    if (byId("types").hidden) return;
    const counts = gecval.countsByType(gecval.state.system, view.mask);
    const weights = counts.map((outcomes) => Object.values(outcomes).reduce((sum, { sum: part }) => sum + part, 0));
    byId("bars").replaceChildren(outcomeTable(counts, firstFew(sortedTypes(frequent(weights)))));
  }

  function drawTypes(view) {
    const section = byId("types");
    const { types, typeScores, references } = gecval.data;
    section.hidden = !types.length || !references.some((texts) => texts.length);
    if (section.hidden) return;
    const bars = region("Edits by type");
    bars.id = "bars";
    const scores = scoreTable();
    const map = heatMap();
    const narrow = map && gecval.data.systems.length > FIT_A_PHONE ? narrowTypes() : null;
    replaceBody(
      section,
      typeScores ? element("p", { class: "scope whole-note" }, "Bars follow the filters; scores are of all sentences.") : null,
      map && element("p", { class: "inline-controls" }, sortMenu()),
      map && element("div", { class: narrow ? "wide-only" : null }, region("Types of errors by system", map)),
      narrow,
      element("div", { class: narrow ? "wide-only" : null }, systemMenu()),
      bars,
      moreButton(types.length),
      scores && region("Scores by type", scores),
    );
    drawBars(view);
  }

  Object.assign(gecval, { drawTypes, drawBars });
})();
