// By type of error: what became of a system's edits, and a heat map of systems by types.
(() => {
  "use strict";

  const { element, isolated, unseen, byId, replaceBody, write, charts, OUTCOMES } = gecval;

  const BAR = 110; // pixels of one bar chart

  const typeScore = (system, type) => gecval.data.typeScores?.find((entry) => entry.system === system && entry.type === type);

  /** Show the sentences with such an edit. */
  function explore(type, system, outcome = "") {
    gecval.choose({ ...gecval.withoutFilters(), type, by: system, outcome, shown: [...new Set([system, ...gecval.shownSystems()])] });
    gecval.show("sentences");
  }

  function systemMenu() {
    const { systems } = gecval.data;
    const menu = element("select", { id: "types-system", on: { change: ({ target }) => gecval.choose({ system: Number(target.value) }) } },
      systems.map((name, system) => gecval.option(system, name, system === gecval.state.system)));
    return element("p", { class: "inline-controls" }, element("label", { for: "types-system" }, "System "), menu);
  }

  function bars(view) {
    const { system } = gecval.state;
    const { types } = gecval.data;
    const counts = gecval.countsByType(system, gecval.filtered() ? view.mask : null);
    const total = (type) => Object.values(counts[type]).reduce((sum, { sum: part }) => sum + part, 0);
    const rows = types.map((_, type) => type).filter(total).sort((first, second) => total(second) - total(first) || first - second);
    const highest = Math.max(1, ...rows.flatMap((type) => Object.values(counts[type]).map(({ sum, interval }) => interval?.[1] ?? sum)));
    const scale = charts.scale([0, highest], BAR, { zero: true, margin: 2 });
    const scored = !gecval.filtered() && gecval.data.typeScores;
    const scores = charts.scale([0, 1], 120);
    const outcomeCell = (type, outcome) => element("td", { class: "outcome" },
      element("button", {
        type: "button", class: "plain", on: { click: () => explore(type, system, outcome) },
        title: `${write.interval(counts[type][outcome].interval, 0)}: show the sentences`,
        "aria-label": `${write.count(counts[type][outcome].sum)} ${outcome} of type ${gecval.visible(types[type])}: show the sentences`,
      }, element("span", { class: "count-number" }, write.count(counts[type][outcome].sum)), charts.countBar(scale, counts[type][outcome], outcome)));
    const scoreCells = (type) => {
      const entry = typeScore(system, type);
      return [
        element("td", { class: "number" }, write.score(entry?.score, 3), element("small", {}, write.interval(entry?.interval, 2))),
        element("td", { class: "plot" }, charts.intervalChart(scores, entry?.score, entry?.interval, 20)),
      ];
    };
    return element("table", { class: "types" },
      element("caption", {}, "Edits by type. Bars are numbers of edits, whiskers their 95% intervals over resampled sentences. Choose a bar to see the sentences."),
      element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "Type"),
        Object.entries(OUTCOMES).map(([name, { sign }]) => element("th", { scope: "col" }, element("span", { "aria-hidden": "true" }, `${sign} `), name)),
        scored ? [element("th", { scope: "col", class: "number" }, "Score"), element("th", { scope: "col", class: "plot" }, unseen("Score, drawn"), charts.axis(scores))] : null)),
      element("tbody", {}, rows.map((type) => element("tr", {}, element("th", { scope: "row" }, isolated(types[type])),
        Object.keys(OUTCOMES).map((outcome) => outcomeCell(type, outcome)), scored ? scoreCells(type) : null))));
  }

  /** Systems by types: the darker, the better; the number stands in every cell. */
  function heatMap() {
    const { systems, types, typeScores } = gecval.data;
    if (!typeScores?.length || systems.length < 2) return null;
    const at = new Map(typeScores.map((entry) => [`${entry.system} ${entry.type}`, entry]));
    const weight = types.map(() => 0);
    for (const { type, right, missed } of typeScores) weight[type] += right + missed;
    const columns = types.map((_, type) => type).filter((type) => weight[type]).sort((first, second) => weight[second] - weight[first] || first - second);
    const cell = (system, type) => {
      const entry = at.get(`${system} ${type}`);
      const shown = write.known(entry?.score) ? entry.score.toFixed(2).replace(/^0/, "") : write.UNDEFINED;
      const words = entry ? `${systems[system]}, ${types[type]}: ${entry.right} right, ${entry.wrong} wrong, ${entry.missed} missed, ${entry.unneeded} unneeded` : "no such edit";
      const node = element("td", { class: "heat", title: gecval.visible(words), "data-system": system, "data-type": type }, shown);
      if (write.known(entry?.score)) node.style.setProperty("--heat", `${Math.round(Math.min(1, Math.max(0, entry.score)) * 70)}%`);
      return node;
    };
    const choose = ({ target }) => {
      const node = target.closest("td.heat");
      if (node) explore(Number(node.dataset.type), Number(node.dataset.system));
    };
    return element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Systems by types of error" },
      element("table", { class: "heat-map", on: { click: choose } },
        element("caption", {}, "Score of every system for every type of error; the most frequent types first. Choose a cell to see the sentences."),
        element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "System"), columns.map((type) => element("th", { scope: "col" }, element("span", {}, isolated(types[type])))))),
        element("tbody", {}, systems.map((name, system) => element("tr", {}, element("th", { scope: "row", class: "system" }, isolated(name)), columns.map((type) => cell(system, type)))))));
  }

  function drawTypes(view) {
    const section = byId("types");
    if (!gecval.data.types.length || !gecval.data.outputEdits) {
      section.hidden = true;
      return;
    }
    replaceBody(section, systemMenu(),
      element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Edits by type" }, bars(view)), heatMap());
  }

  gecval.drawTypes = drawTypes;
})();
