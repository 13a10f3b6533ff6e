// The verdict, the ranking under one metric, and all metrics side by side. Both tables follow the filters.
(() => {
  "use strict";

  const { element, isolated, unseen, byId, replaceBody, write, charts } = gecval;
  const { table, column, rowHead, cell, row, region } = gecval;

  const FEW_METRICS = 3; // their scores leave room for the ranking next to them

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
        .split(/(\(?p [=<≤≥] [.\d]+\)?)/)
        .map((part, index) => (index % 2 ? element("span", { class: "unbroken" }, part) : gecval.visible(part))),
    );

  /** What was tested, in one line: a reader who gets the page by mail must not have to ask. */
  function testedFacts() {
    const { corpus, sentences, referenceCount, systems, metrics, date, version } = gecval.data;
    const references =
      referenceCount === "0" ? "no references" : `${referenceCount.replace("-", "–")} reference${referenceCount === "1" ? "" : "s"} each`;
    const facts = [
      ["Test set", corpus],
      ["Sentences", `${write.count(sentences)}, ${references}`],
      ["Systems", systems.length > 3 ? write.count(systems.length) : systems.join(", ")],
      ["Metrics", metrics.map(({ name }) => name).join(", ")],
      ["Made", [date, `gecval ${version}`].filter(Boolean).join(", ")],
    ];
    const shown = facts.filter(([, text]) => text);
    return element(
      "dl",
      { class: "facts-line", id: "facts" },
      shown.map(([name, text]) => element("div", {}, element("dt", {}, name), element("dd", {}, isolated(text)))),
    );
  }

  function drawVerdict() {
    const [first, ...others] = gecval.data.verdict;
    replaceBody(
      byId("verdict"),
      element("p", { class: "verdict" }, withProbabilities(first ?? "")),
      others.map((sentence) => element("p", { class: "verdict-more" }, withProbabilities(sentence))),
      testedFacts(),
      element("p", { class: "note", id: "verdict-scope" }),
    );
    showScope(gecval.data.sentences);
  }

  /** Which sentences the verdict is about, and which the tables: the line is always there, so nothing moves. */
  function showScope(count) {
    const all = write.plural(gecval.data.sentences, "sentence");
    byId("verdict-scope").textContent = gecval.filtered()
      ? `The verdict is about all ${all}; scores and counts below are of the ${write.count(count)} sentences shown.`
      : `The verdict and all tables are about all ${all}.`;
  }

  /** "of the 312 sentences shown", for captions; nothing where all are in. */
  const ofShown = (view) => (gecval.filtered() ? `, of the ${write.plural(view.count, "sentence")} shown` : "");

  const PRECISION_RECALL = ["precision", "recall"];
  const hasParts = (metric) => PRECISION_RECALL.every((name) => gecval.data.metrics[metric].partNames.includes(name));

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

  /** On a phone, an interval stands below its number. */
  const narrowInterval = (text) => element("small", { class: "narrow-only" }, text);

  /** Ranks and clusters are for three systems or more: each metric's own, they would seem to contradict the test of two. */
  const hasClusters = (view) =>
    !gecval.filtered() && gecval.data.systems.length > 2 && view.grid[gecval.state.metric].some(({ cluster }) => cluster);

  function rankingTable(view) {
    const { metric } = gecval.state;
    const { name, higher } = gecval.data.metrics[metric];
    const entries = view.grid[metric];
    const whole = gecval.whole.grid[metric];
    const part = gecval.filtered();
    const order = bestFirst(entries, higher);
    const scale = charts.scale(
      entries.flatMap(({ score, interval }) => [score, ...(interval ?? [])]),
      hasParts(metric) ? 200 : 300,
    );
    const clustered = hasClusters(view);
    const ranked = part || gecval.data.systems.length > 2; // of two, the difference and its test say all

    const line = (system, index, { cluster, systems }) => {
      const { score, interval, ranks, parts } = entries[system];
      const head = { scope: "rowgroup", rowspan: systems.length, class: "cluster" };
      return row(
        clustered && index === 0 ? element("th", head, unseen("cluster "), cluster) : null,
        ranked ? cell(part ? order.indexOf(system) + 1 : write.range(ranks), "number") : null,
        rowHead(isolated(gecval.data.systems[system]), "system"),
        cell([awaited(view, metric, write.score(score)), narrowInterval(awaited(view, metric, write.interval(interval, 3)))], "number strong"),
        cell(awaited(view, metric, write.interval(interval)), "number muted wide-only"),
        part ? cell(write.score(whole[system].score), "number muted wide-only") : null,
        hasParts(metric)
          ? PRECISION_RECALL.map((of) => cell(awaited(view, metric, write.score(parts?.[of])), "number part"))
          : null,
        cell(charts.intervalChart(scale, score, interval), "plot"),
      );
    };
    const head = [
      clustered ? column("Cluster", "cluster") : null,
      ranked ? column(part ? "Rank" : "Ranks", "number") : null,
      column("System"),
      column(isolated(name), "number"),
      column(`${Math.round(100 * (gecval.data.level ?? 0.95))}% interval`, "number wide-only"),
      part ? column("All sentences", "number wide-only") : null,
      hasParts(metric) ? [column("Precision", "number part"), column("Recall", "number part")] : null,
      column([unseen("Score and interval, drawn"), charts.axis(scale)], "plot"),
    ];
    const groups = clustered ? clusters(order, entries) : [{ systems: order }];
    return table(
      { class: "ranking", id: "ranking-table" },
      `Systems under ${gecval.visible(name)}${ofShown(view)}; ${higher ? "higher" : "lower"} is better`,
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
      const headings = hasParts(metric) ? ["P", "R"].map((of) => column([unseen(`${name} `), of], "number part")) : [];
      return [column(element("button", button, isolated(name)), "number first", { "aria-sort": sorted }), ...headings];
    };
    const score = (system) => (_, metric) => {
      const { score: value, interval, parts } = view.grid[metric][system];
      const best = orders[metric][0] === system && write.known(value);
      const bounds = element("small", {}, awaited(view, metric, write.interval(interval, 3)));
      const of = (name) => cell(awaited(view, metric, write.score(parts?.[name], 3)), "number part");
      return [
        cell([awaited(view, metric, write.score(value)), bounds], best ? "number first best" : "number first"),
        hasParts(metric) ? PRECISION_RECALL.map(of) : [],
      ];
    };
    const shares = metrics.some((_, metric) => hasParts(metric)) ? " P and R: precision and recall." : "";
    return table(
      { class: metrics.length > FEW_METRICS ? "overview many-metrics" : "overview", id: "overview-table" },
      [`Scores under all metrics${ofShown(view)}; the best of each is bold.${shares}`, gecval.onScreen("Choose a metric to rank by it.")],
      [column("System"), metrics.map(heading)],
      orders[chosen].map((system) => row(rowHead(isolated(systems[system]), "system"), metrics.map(score(system)))),
    );
  }

  function explanation(view) {
    if (gecval.filtered())
      return `Ranges of ranks and clusters need all sentences. These intervals rest on ${gecval.data.resamples} resamples.`;
    return hasClusters(view)
      ? "Ranks: the places where chance may have put a system, under this metric alone. A rule separates clusters of systems with overlapping ranks. The tests below are stricter: they are corrected for their number."
      : "";
  }

  function drawRanking(view) {
    const { name, summary } = gecval.data.metrics[gecval.state.metric];
    const empty = gecval.filtered() && !view.count;
    replaceBody(
      byId("ranking"),
      summary ? element("p", { class: "lead" }, isolated(`${name}: ${summary}`)) : null,
      scopeNote(view),
      empty
        ? element("p", { class: "message" }, "No sentence fits these filters: there is nothing to score.")
        : [
            region("Ranking", rankingTable(view)),
            element("p", { class: "note" }, explanation(view)),
            gecval.pictureButtons("ranking", () => rankingPicture(view)),
          ],
    );
    const several = gecval.data.metrics.length > 1 && !empty;
    if (several) replaceBody(byId("scores"), region("All metrics", overviewTable(view)));
    else byId("scores").hidden = true;
    byId("scores").parentNode.classList.toggle("few-metrics", gecval.data.metrics.length <= FEW_METRICS);
  }

  /** The ranking as a picture of its own. */
  function rankingPicture(view) {
    const { metric } = gecval.state;
    const { name, higher } = gecval.data.metrics[metric];
    const entries = view.grid[metric];
    const rows = bestFirst(entries, higher).map((system) => {
      const { score, interval } = entries[system];
      return { name: gecval.data.systems[system], value: score, interval, text: write.score(score) };
    });
    return charts.picture({ title: `${name}${ofShown(view)}`, subtitle: gecval.pictureSubtitle(), rows });
  }

  Object.assign(gecval, { scoreGrid, bestFirst, narrowInterval, drawVerdict, showScope, ofShown, drawRanking });
})();
