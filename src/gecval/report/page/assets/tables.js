// The verdict, the ranking under one metric, and all metrics side by side. Both tables follow the filters.
(() => {
  "use strict";

  const { element, isolated, unseen, byId, replaceBody, write, charts } = gecval;

  /** Scores of the sentences that are in, by [metric][system]; the whole corpus has ranks and clusters too. */
  function scoreGrid(scores) {
    const grid = gecval.data.metrics.map(() => []);
    for (const entry of scores) grid[entry.metric][entry.system] = entry;
    return grid;
  }

  /** Systems from best to worst; undefined scores last. */
  function bestFirst(row, higher) {
    const value = (system) => row[system]?.score;
    return gecval.data.systems.map((_, system) => system).sort((first, second) => {
      const [x, y] = [value(first), value(second)];
      if (!write.known(x) || !write.known(y)) return write.known(y) - write.known(x) || first - second;
      return (higher ? y - x : x - y) || first - second;
    });
  }

  function drawVerdict() {
    const [first, ...others] = gecval.data.verdict;
    const rest = others.map((sentence) => element("p", { class: "verdict-more" }, isolated(sentence)));
    replaceBody(byId("verdict"), element("p", { class: "verdict" }, isolated(first ?? "")), rest);
  }

  /** "312 of 1,312 sentences", or nothing where all are in. */
  function scopeNote(view) {
    if (!gecval.filtered()) return null;
    const text = `Scores of ${write.count(view.count)} of ${write.plural(gecval.data.sentences, "sentence")}.`;
    const all = element("button", { type: "button", class: "link", on: { click: () => gecval.choose(gecval.withoutFilters()) } }, "Show all");
    return element("p", { class: "scope" }, text, " ", all);
  }

  function rankingTable(view) {
    const { metric } = gecval.state;
    const { name, higher } = gecval.data.metrics[metric];
    const row = view.grid[metric];
    const whole = gecval.whole.grid[metric];
    const part = gecval.filtered();
    const order = bestFirst(row, higher);
    const bounds = row.flatMap((entry) => [entry.score, ...(entry.interval ?? [])]);
    const scale = charts.scale(bounds, 300);
    const clustered = !part && row.some((entry) => entry.cluster);
    const groups = [];
    for (const system of order) {
      const cluster = clustered ? row[system].cluster : 0;
      if (!groups.length || groups.at(-1).cluster !== cluster) groups.push({ cluster, systems: [] });
      groups.at(-1).systems.push(system);
    }
    let position = 0;
    const line = (system, index, { cluster, systems }) => element("tr", {},
      clustered && index === 0 ? element("th", { scope: "rowgroup", rowspan: systems.length, class: "cluster" }, unseen("cluster "), cluster) : null,
      element("td", { class: "number rank" }, part ? ++position : write.range(row[system].ranks)),
      element("th", { scope: "row", class: "system" }, isolated(gecval.data.systems[system])),
      element("td", { class: "number strong" }, write.score(row[system].score)),
      element("td", { class: "number muted" }, row[system].interval === undefined ? "…" : write.interval(row[system].interval)),
      part ? element("td", { class: "number muted" }, write.score(whole[system].score)) : null,
      element("td", { class: "plot" }, charts.intervalChart(scale, row[system].score, row[system].interval)));
    const head = element("tr", {},
      clustered ? element("th", { scope: "col" }, "Cluster") : null,
      element("th", { scope: "col", class: "number" }, part ? "Rank" : "Ranks"),
      element("th", { scope: "col" }, "System"),
      element("th", { scope: "col", class: "number" }, isolated(name)),
      element("th", { scope: "col", class: "number" }, "95% interval"),
      part ? element("th", { scope: "col", class: "number" }, "All sentences") : null,
      element("th", { scope: "col", class: "plot" }, unseen("Score and interval, drawn"), charts.axis(scale)));
    const caption = clustered
      ? "Ranks: where chance may have put a system. Systems of one cluster cannot be told apart."
      : part ? "Rank ranges and clusters are computed for all sentences only." : "";
    return element("table", { class: "ranking", id: "ranking-table" },
      element("caption", {}, `Systems under ${name}, ${higher ? "higher" : "lower"} is better. `, caption),
      element("thead", {}, head),
      groups.map((group) => element("tbody", {}, group.systems.map((system, index) => line(system, index, group)))));
  }

  /** Every system under every metric: the score, its interval below, the best one of a column in bold. */
  function overviewTable(view) {
    const { metrics, systems } = gecval.data;
    const { metric } = gecval.state;
    const orders = metrics.map(({ higher }, index) => bestFirst(view.grid[index], higher));
    const heading = ({ name }, index) => element("th", { scope: "col", class: "number", "aria-sort": index === metric ? (metrics[index].higher ? "descending" : "ascending") : null },
      element("button", {
        type: "button", class: "link", "aria-pressed": String(index === metric), on: { click: () => gecval.choose({ metric: index }) },
      }, isolated(name), unseen(", rank by this metric")));
    const cell = (system) => (_, index) => {
      const entry = view.grid[index][system];
      return element("td", { class: `number${orders[index][0] === system && write.known(entry.score) ? " best" : ""}` },
        write.score(entry.score), element("small", {}, entry.interval === undefined ? "…" : write.interval(entry.interval, 3)));
    };
    return element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "All metrics" },
      element("table", { class: "overview", id: "overview-table" },
        element("caption", {}, "All metrics. The best score of a column is bold. Press a name to rank by it."),
        element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "System"), metrics.map(heading))),
        element("tbody", {}, orders[metric].map((system) =>
          element("tr", {}, element("th", { scope: "row", class: "system" }, isolated(systems[system])), metrics.map(cell(system)))))));
  }

  function drawRanking(view) {
    const { summary } = gecval.data.metrics[gecval.state.metric];
    const empty = gecval.filtered() && !view.count ? element("p", { class: "message" }, "No sentence fits these filters: there is nothing to score.") : null;
    replaceBody(byId("ranking"),
      summary ? element("p", { class: "lead" }, isolated(summary)) : null,
      scopeNote(view), empty,
      empty ? null : element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Ranking" }, rankingTable(view)),
      !empty && gecval.data.metrics.length > 1 ? overviewTable(view) : null);
  }

  Object.assign(gecval, { scoreGrid, bestFirst, drawVerdict, drawRanking });
})();
