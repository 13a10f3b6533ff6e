"use strict";
// The scores of any subset of sentences, as `gecval score` gives them for these sentences alone.
//
// Most metrics are sums, and are scored at once. GLEU draws references 500 times, and intervals resample: a worker does
// both, with the same code. A newer question makes an older one stale; its answer is then null.
(() => {
  const RESAMPLES = 200;
  const SEED = 1;
  const BREATH_MS = 25; // how long work may go on before newer questions are looked at

  /** A metric with its formula, ready to score. */
  const ready = (metric) => ({ ...metric, formula: gecval.formula(metric.formula, metric.width), known: metric.formula !== null });

  const isMean = (metric) => metric.aggregate === "mean" || !metric.known;
  const isSampled = (metric) => !isMean(metric) && metric.rule.name === "sampled";

  /** The score of every sentence and system: [sentence * systems + system]. Equal outputs are scored once. */
  function sentenceScores(metric) {
    const { rows, width, formula, starts, units, size, systems } = metric;
    const scores = new Float64Array(units === null ? size : units.length);
    const choose = starts !== null && gecval.sums[metric.rule.name];
    if (choose) {
      for (let sentence = 0; sentence < scores.length / systems; sentence++) {
        choose(metric, [sentence]).forEach((totals, system) => (scores[sentence * systems + system] = formula.sentence(totals)));
      }
      return scores;
    }
    // One row is its own score; the drawn rows of several references have a mean.
    const byUnit = new Float64Array(size);
    for (let unit = 0; unit < size; unit++) {
      const begin = starts === null ? unit : starts[unit], end = starts === null ? unit + 1 : starts[unit + 1];
      for (let row = begin; row < end; row++) byUnit[unit] += formula.sentence(rows, row * width) / (end - begin);
    }
    for (let at = 0; at < scores.length; at++) scores[at] = byUnit[units === null ? at : units[at]];
    return scores;
  }

  const ofSentences = (metric) => (metric.sentenceScores ??= sentenceScores(metric));

  /** Sentence scores as a metric of their own: their mean is its score. */
  function asMean(metric) {
    const scores = ofSentences(metric);
    const rows = new Float64Array(2 * scores.length);
    scores.forEach((score, at) => {
      rows[2 * at] = score;
      rows[2 * at + 1] = 1;
    });
    return { systems: metric.systems, rows, width: 2, starts: null, units: null, size: scores.length, rule: { name: "sum" }, formula: gecval.formula({ name: "mean" }, 2) };
  }

  /** The mean row over the references in place of drawn ones: its score is that of many draws to about five digits. */
  function asExpected(metric) {
    const { rows, width, starts, size } = metric;
    if (starts === null) return { ...metric, rule: { name: "sum" } };
    const means = new Float64Array(size * width);
    for (let unit = 0; unit < size; unit++) {
      const count = starts[unit + 1] - starts[unit];
      for (let row = starts[unit]; row < starts[unit + 1]; row++) {
        for (let k = 0; k < width; k++) means[unit * width + k] += rows[row * width + k] / count;
      }
    }
    return { ...metric, rows: means, starts: null, rule: { name: "sum" } };
  }

  /** What stands for a metric where lists of sentences are scored again and again. */
  const additive = (metric) =>
    (metric.additive ??= isMean(metric) ? asMean(metric) : isSampled(metric) ? asExpected(metric) : metric);

  /** The score of each system over a list of sentences, for every metric that needs no draws. */
  function scored(metric, list) {
    const summed = additive(metric);
    return gecval.sums[summed.rule.name](summed, list).map((totals) => ({
      score: summed.formula.score(totals),
      parts: isMean(metric) ? {} : summed.formula.parts(totals),
      interval: null,
    }));
  }

  /** Lists of sentences drawn with replacement. Rules that look at no order get them sorted, which is faster. */
  function* resamples(list, sorted) {
    const generator = new gecval.Twister(SEED);
    for (let b = 0; b < RESAMPLES; b++) {
      if (!sorted) {
        yield Int32Array.from(list, () => list[Math.floor(generator.random() * list.length)]);
        continue;
      }
      const times = new Int32Array(list.length);
      for (let i = 0; i < list.length; i++) times[Math.floor(generator.random() * list.length)]++;
      const drawn = new Int32Array(list.length);
      let at = 0;
      times.forEach((count, i) => {
        for (let c = 0; c < count; c++) drawn[at++] = list[i];
      });
      yield drawn;
    }
  }

  // The smallest value with at least this share of all values below it, to the nearest: as numpy's method "nearest".
  function quantile(sorted, share) {
    const place = share * (sorted.length - 1), below = Math.floor(place);
    const up = place - below > 0.5 || (place - below === 0.5 && below % 2 === 1);
    return sorted[up ? below + 1 : below];
  }

  /** Percentile intervals of all systems under one metric; yields how far it is. `known` are the exact scores. */
  function* intervals(metric, list, level, known) {
    const summed = additive(metric);
    const over = gecval.sums[summed.rule.name];
    const drawn = Array.from({ length: metric.systems }, () => new Float64Array(RESAMPLES));
    let done = 0;
    for (const resample of resamples(list, summed.rule.name === "sum")) {
      over(summed, resample).forEach((totals, system) => (drawn[system][done] = summed.formula.score(totals)));
      yield ++done / RESAMPLES;
    }
    const expected = scored(metric, list);
    return drawn.map((scores, system) => {
      scores.sort();
      const shift = isSampled(metric) ? known[system] - expected[system].score : 0;
      return [quantile(scores, 0.5 - level / 2) + shift, quantile(scores, 0.5 + level / 2) + shift];
    });
  }

  /** Scores that take long, and intervals, metric after metric; `post` gets each metric's as soon as they are there. */
  async function work(metrics, { list, wanted, level, withIntervals }, post, isStale) {
    let until = performance.now() + BREATH_MS;
    const finished = async (generator) => {
      for (;;) {
        const { done, value } = generator.next();
        if (done) return value;
        if (performance.now() > until) {
          await new Promise((resume) => setTimeout(resume));
          until = performance.now() + BREATH_MS;
        }
        if (isStale()) return null;
      }
    };
    for (const m of wanted) {
      const metric = metrics[m];
      let entries;
      if (isSampled(metric)) {
        const drawn = await finished(gecval.sampled(metric, list));
        if (drawn === null) return;
        const entry = (totals, system) => ({ score: drawn.scores[system], parts: metric.formula.parts(totals), interval: null });
        entries = drawn.totals.map(entry);
      } else entries = scored(metric, list);
      if (withIntervals && list.length > 1) {
        if (isSampled(metric)) post(m, entries, false);
        const found = await finished(intervals(metric, list, level, entries.map(({ score }) => score)));
        if (found === null) return;
        entries.forEach((entry, system) => (entry.interval = found[system]));
      }
      if (isStale()) return;
      post(m, entries, true);
    }
  }

  let metrics = [];
  let newest = 0;

  /** What a worker does: it gets the rows once, then questions. */
  gecval.serve = () => {
    self.onmessage = ({ data: { rows, question, id } }) => {
      if (rows) {
        metrics = rows.map(ready);
        return;
      }
      newest = id;
      work(metrics, question, (metric, entries, last) => self.postMessage({ id, metric, entries, last }), () => newest !== id);
    };
  };

  let ask = null; // (question, id) => nothing; answers come to `answered`
  let answered = () => {};

  /** A worker that runs these same scripts; where the browser allows none, the page itself works in small steps. */
  function employ(rows) {
    try {
      const script = `${document.getElementById("gecval-engine").textContent}\ngecval.serve();`;
      const worker = new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
      worker.onmessage = ({ data }) => answered(data);
      worker.postMessage({ rows });
      return (question, id) => worker.postMessage({ question, id });
    } catch {
      return (question, id) =>
        work(metrics, question, (metric, entries, last) => answered({ id, metric, entries, last }), () => newest !== id);
    }
  }

  /** Called when the data is there. The worker starts when it is first needed. */
  gecval.startScoring = (scorings) => {
    const systems = gecval.data.systems.length;
    const rows = scorings.map((scoring) => ({ ...scoring, systems }));
    metrics = rows.map(ready);
    ask = (question, id) => {
      ask = employ(rows);
      ask(question, id);
    };
    gecval.data.resamples = RESAMPLES;
    gecval.data.sentenceScores = [];
    metrics.forEach((metric, m) => Object.defineProperty(gecval.data.sentenceScores, m, { get: () => ofSentences(metric), enumerable: true }));
  };

  /**
   * The scores of the sentences whose mask is 1: a promise of {count, scores: [{system, metric, score, parts, interval}]}.
   * `onProgress` gets the same with what is known so far, at once and then metric by metric; `pending` lists metrics whose
   * entries (score null, or interval null) will still change. The promise is null where a newer call has come.
   */
  gecval.scoresOf = (mask, { intervals: withIntervals = false, onProgress = () => {} } = {}) => {
    const id = ++newest;
    const list = Int32Array.from(mask.keys()).filter((sentence) => mask[sentence]);
    const systems = gecval.data.systems.length;
    if (list.length === mask.length) {
      const answer = { count: list.length, scores: gecval.data.scores, pending: [] };
      onProgress(answer);
      return Promise.resolve(answer);
    }
    const empty = list.length === 0;
    const unknown = () => Array.from({ length: systems }, () => ({ score: null, parts: {}, interval: null }));
    const table = metrics.map((metric) => (empty || isSampled(metric) ? unknown() : scored(metric, list)));
    const pending = new Set(empty ? [] : [...metrics.keys()].filter((m) => withIntervals || isSampled(metrics[m])));
    const answer = () => ({
      count: list.length,
      pending: [...pending],
      scores: table.flatMap((entries, metric) => entries.map((entry, system) => ({ system, metric, ...entry }))),
    });
    onProgress(answer());
    if (pending.size === 0) return Promise.resolve(answer());
    return new Promise((resolve) => {
      const stale = answered.stale;
      stale?.();
      answered = ({ id: of, metric, entries, last }) => {
        if (of !== id) return;
        table[metric] = entries;
        if (last) pending.delete(metric);
        onProgress(answer());
        if (pending.size === 0) resolve(answer());
      };
      answered.stale = () => resolve(null);
      ask({ list, wanted: [...pending], level: gecval.data.level ?? 0.95, withIntervals }, id);
    });
  };
})();
