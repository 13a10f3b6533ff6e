// The verdict, the ranking under one metric, and all metrics side by side. Both tables follow the filters.
(() => {
  "use strict";

  const { element, isolated, unseen, byId, replaceBody, write, charts } = gecval;
  const { table, column, rowHead, cell, row, region } = gecval;

  /** Scores by [metric][system]. Those of the whole corpus have ranks and clusters too. */
  function scoreGrid(scores) {
    const grid = gecval.data.metrics.map(() => []);
    for (const entry of scores) grid[entry.metric][entry.system] = entry;
    return grid;
  }

  /** Systems from best to worst; undefined scores last. */
  function bestFirst(entries, higher) {
    const systems = gecval.data.systems.map((_, system) => system);
    return systems.sort((first, second) => {
      const [x, y] = [entries[first].score, entries[second].score];
      if (!write.known(x) || !write.known(y)) return write.known(y) - write.known(x) || first - second;
      return (higher ? y - x : x - y) || first - second;
    });
  }

  /** "(p ≤ .046)" stays on one line. */
  const withProbabilities = (text) =>
    element(
      "bdi",
      {},
      text
        .split(/(\(?p [=<≤] [.\d]+\)?)/)
        .map((part, index) => (index % 2 ? element("span", { class: "unbroken" }, part) : gecval.visible(part))),
    );

  function drawVerdict() {
    const [first, ...others] = gecval.data.verdict;
    replaceBody(
      byId("verdict"),
      element("p", { class: "verdict" }, withProbabilities(first ?? "")),
      others.map((sentence) => element("p", { class: "verdict-more" }, withProbabilities(sentence))),
    );
  }

  /** "312 of 1,312 sentences", or nothing where all are in. */
  function scopeNote(view) {
    if (!gecval.filtered()) return null;
    const clear = { click: () => gecval.choose(gecval.withoutFilters()) };
    const text = `Scores of ${write.count(view.count)} of ${write.plural(gecval.data.sentences, "sentence")}. `;
    return element(
      "p",
      { class: "scope" },
      text,
      element("button", { type: "button", class: "link", on: clear }, "Show all"),
    );
  }

  /** A number that is still being computed is shown as dots. */
  const awaited = (view, metric, text) => (text === write.UNDEFINED && view.pending.has(metric) ? "…" : text);

  /** Systems in order, cut where one cluster ends. */
  function clusters(order, entries) {
    const groups = [];
    for (const system of order) {
      const { cluster } = entries[system];
      if (!groups.length || groups.at(-1).cluster !== cluster) groups.push({ cluster, systems: [] });
      groups.at(-1).systems.push(system);
    }
    return groups;
  }

  function rankingTable(view) {
    const { metric } = gecval.state;
    const { name, higher } = gecval.data.metrics[metric];
    const entries = view.grid[metric];
    const whole = gecval.whole.grid[metric];
    const part = gecval.filtered();
    const order = bestFirst(entries, higher);
    const scale = charts.scale(
      entries.flatMap(({ score, interval }) => [score, ...(interval ?? [])]),
      300,
    );
    const clustered = !part && entries.some(({ cluster }) => cluster);

    const line = (system, index, { cluster, systems }) => {
      const { score, interval, ranks } = entries[system];
      const head = { scope: "rowgroup", rowspan: systems.length, class: "cluster" };
      return row(
        clustered && index === 0 ? element("th", head, unseen("cluster "), cluster) : null,
        cell(part ? order.indexOf(system) + 1 : write.range(ranks), "number"),
        rowHead(isolated(gecval.data.systems[system]), "system"),
        cell(awaited(view, metric, write.score(score)), "number strong"),
        cell(awaited(view, metric, write.interval(interval)), "number muted"),
        part ? cell(write.score(whole[system].score), "number muted") : null,
        cell(charts.intervalChart(scale, score, interval), "plot"),
      );
    };
    const head = [
      clustered ? column("Cluster") : null,
      column(part ? "Rank" : "Ranks", "number"),
      column("System"),
      column(isolated(name), "number"),
      column(`${Math.round(100 * (gecval.data.level ?? 0.95))}% interval`, "number"),
      part ? column("All sentences", "number") : null,
      column([unseen("Score and interval, drawn"), charts.axis(scale)], "plot"),
    ];
    const groups = clustered ? clusters(order, entries) : [{ systems: order }];
    return table(
      { class: "ranking", id: "ranking-table" },
      `Systems under ${gecval.visible(name)}; ${higher ? "higher" : "lower"} is better`,
      head,
      ...groups.map((group) => group.systems.map((system, index) => line(system, index, group))),
    );
  }

  /** Every system under every metric: the score, its interval below, the best one of a column in bold. */
  function overviewTable(view) {
    const { metrics, systems } = gecval.data;
    const chosen = gecval.state.metric;
    const orders = metrics.map(({ higher }, metric) => bestFirst(view.grid[metric], higher));
    const heading = ({ name, higher }, metric) => {
      const rank = { click: () => gecval.choose({ metric }) };
      const button = { type: "button", class: "link", "aria-pressed": String(metric === chosen), on: rank };
      const sorted = metric === chosen ? (higher ? "descending" : "ascending") : null;
      return column(element("button", button, isolated(name)), "number", { "aria-sort": sorted });
    };
    const score = (system) => (_, metric) => {
      const { score: value, interval } = view.grid[metric][system];
      const best = orders[metric][0] === system && write.known(value);
      const bounds = element("small", {}, awaited(view, metric, write.interval(interval, 3)));
      return cell([awaited(view, metric, write.score(value)), bounds], best ? "number best" : "number");
    };
    return table(
      { class: "overview", id: "overview-table" },
      "All metrics; the best score of each is bold. Choose a metric to rank by it.",
      [column("System"), metrics.map(heading)],
      orders[chosen].map((system) => row(rowHead(isolated(systems[system]), "system"), metrics.map(score(system)))),
    );
  }

  function explanation(view) {
    if (gecval.filtered())
      return `Ranges of ranks and clusters need all sentences. These intervals rest on ${gecval.data.resamples} resamples.`;
    const clustered = view.grid[gecval.state.metric].some(({ cluster }) => cluster);
    return clustered
      ? "Ranks: the places where chance may have put a system. Systems of one cluster are not significantly different."
      : "";
  }

  function drawRanking(view) {
    const { summary } = gecval.data.metrics[gecval.state.metric];
    const empty = gecval.filtered() && !view.count;
    replaceBody(
      byId("ranking"),
      summary ? element("p", { class: "lead" }, isolated(summary)) : null,
      scopeNote(view),
      empty
        ? element("p", { class: "message" }, "No sentence fits these filters: there is nothing to score.")
        : [
            region("Ranking", rankingTable(view)),
            element("p", { class: "note" }, explanation(view)),
            gecval.data.metrics.length > 1 ? region("All metrics", overviewTable(view)) : null,
          ],
    );
  }

  Object.assign(gecval, { scoreGrid, bestFirst, drawVerdict, drawRanking });
})();
