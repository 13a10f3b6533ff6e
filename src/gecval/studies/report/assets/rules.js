"use strict";
// How several references count, as in src/gecval/metrics/reference_rules: which row of each sentence enters the sum.
//
//     sum             a sentence has one row, or one that was chosen for good
//     runningBest     the row that gives the best F with the totals so far (M², ERRANT)
//     runningMacro    the same for the mean of F over types
//     runningRows     the same with a preference that looks at more numbers (I-measure, CLEME, weighted edits)
//     sampled         a random row, many times (GLEU): see sampling.js
//
// A rule sums over a list of sentences, in its order: a subset, or a resample of it.
(() => {
  /** The rows of a system's output for a sentence are number `first(...)` to `last(...) - 1`. */
  const unitOf = (metric, sentence, system) => {
    const at = sentence * metric.systems + system;
    return metric.units === null ? at : metric.units[at];
  };
  const first = (metric, unit) => (metric.starts === null ? unit : metric.starts[unit]);
  const last = (metric, unit) => (metric.starts === null ? unit + 1 : metric.starts[unit + 1]);

  /** The totals of each system, out of one array for all. */
  const bySystem = (flat, { systems, width }) =>
    Array.from({ length: systems }, (_, system) => flat.subarray(system * width, (system + 1) * width));

  // The outputs of a sentence lie side by side, so all systems are summed together: far fewer misses of the cache.
  function sum(metric, list) {
    const { rows, width, units, systems } = metric;
    const flat = new Float64Array(systems * width);
    for (let i = 0; i < list.length; i++) {
      const base = list[i] * systems;
      for (let system = 0, to = 0; system < systems; system++) {
        let at = (units === null ? base + system : units[base + system]) * width;
        for (let k = 0; k < width; k++) flat[to++] += rows[at++];
      }
    }
    return bySystem(flat, metric);
  }

  // M²: higher F, then more correct edits, then fewer proposed and gold ones.
  function m2Prefers(beta) {
    const squared = beta * beta;
    const f = (correct, below) => (below === 0 ? (correct === 0 ? 1 : 0) : ((1 + squared) * correct) / below);
    return (c, p, g, correct, proposed, gold) => {
      const below = squared * g + p, bestBelow = squared * gold + proposed;
      const fNew = f(c, below), fBest = f(correct, bestBelow);
      if (fNew !== fBest) return fNew > fBest;
      if (c !== correct) return c > correct;
      return p + squared * g < proposed + squared * gold;
    };
  }

  // x · y − product exactly (Dekker): what is left of a product after rounding.
  function productError(x, y, product) {
    const split = (value) => {
      const shifted = 134217729 * value;
      const high = shifted - (shifted - value);
      return [high, value - high];
    };
    const [xHigh, xLow] = split(x), [yHigh, yLow] = split(y);
    return xLow * yLow - (product - xHigh * yHigh - xLow * yHigh - xHigh * yLow);
  }

  // Rounded to four decimals as Python does: by the exact value, halves to even.
  function tenThousandths(value) {
    const product = value * 1e4, below = Math.floor(product), rest = product - below;
    if (rest !== 0.5) return rest > 0.5 ? below + 1 : below;
    const error = productError(value, 1e4, product);
    const up = error !== 0 ? error > 0 : below % 2 !== 0;
    return up ? below + 1 : below;
  }

  function fOfMatches(tp, fp, fn, squared) {
    const precision = fp === 0 ? 1 : tp / (tp + fp), recall = fn === 0 ? 1 : tp / (tp + fn);
    return precision + recall === 0 ? 0 : ((1 + squared) * precision * recall) / (squared * precision + recall);
  }

  // ERRANT: higher F to four decimals, then more true positives, fewer false positives, fewer false negatives.
  function errantPrefers(beta) {
    const squared = beta * beta;
    return (a, b, c, tp, fp, fn) => {
      const fNew = tenThousandths(fOfMatches(a, b, c, squared)), fBest = tenThousandths(fOfMatches(tp, fp, fn, squared));
      if (fNew !== fBest) return fNew > fBest;
      if (a !== tp) return a > tp;
      if (b !== fp) return b < fp;
      return c < fn;
    };
  }

  function runningBest(metric, list) {
    const { rows, starts, units, systems, rule } = metric;
    const prefers = (metric.prefers ??= (rule.preference === "m2" ? m2Prefers : errantPrefers)(rule.beta));
    const totals = new Float64Array(3 * systems); // those so far
    for (let i = 0; i < list.length; i++) {
      const base = list[i] * systems;
      for (let system = 0; system < systems; system++) {
        const unit = units === null ? base + system : units[base + system];
        const begin = starts === null ? unit : starts[unit], end = starts === null ? unit + 1 : starts[unit + 1];
        const x = totals[3 * system], y = totals[3 * system + 1], z = totals[3 * system + 2];
        let a = x + rows[3 * begin], b = y + rows[3 * begin + 1], c = z + rows[3 * begin + 2];
        for (let row = begin + 1; row < end; row++) {
          const d = x + rows[3 * row], e = y + rows[3 * row + 1], f = z + rows[3 * row + 2];
          if (d === a && e === b && f === c) continue; // equal rows are frequent, and cost nothing this way
          if (prefers(d, e, f, a, b, c)) {
            a = d;
            b = e;
            c = f;
          }
        }
        totals[3 * system] = a;
        totals[3 * system + 1] = b;
        totals[3 * system + 2] = c;
      }
    }
    return bySystem(totals, metric);
  }

  // Fractions of whole numbers, compared exactly: by their products, which may be beyond 2⁵³.
  function compareFractions([a, b], [c, d]) {
    const left = a * d, right = c * b;
    if (Math.abs(left - right) > 1e-12 * Math.max(Math.abs(left), Math.abs(right))) return left - right;
    const difference = BigInt(a) * BigInt(d) - BigInt(c) * BigInt(b);
    return difference > 0n ? 1 : difference < 0n ? -1 : 0;
  }

  // I-measure's criteria (native/imeasure/choice.cpp): the measure, I, WAcc and Acc of the aspect, then of the other.
  function countsBetter({ maximise, weight: [over, under], beta: [betaOver, betaUnder] }) {
    const [w, unit, b, u] = [2 * over, 2 * under, betaOver * betaOver, betaUnder * betaUnder];
    const fraction = (numerator, denominator) => (denominator === 0 ? [1, 1] : [numerator, denominator]);
    const seen = ([tp, tn, fp, fn, fpn], aspect) => (aspect === "d" ? [tp + fpn, tn, fp - fpn, fn - fpn, 0] : [tp, tn, fp, fn, fpn]);
    const wacc = ([tp, tn, fp, fn, fpn]) => fraction(w * tp + unit * tn, w * (tp + fp) + unit * (tn + fn) - ((w + unit) / 2) * fpn);
    const improvement = (counts, baseTn, baseFn) => {
      const [numerator, denominator] = wacc(counts);
      const [base, columns] = fraction(baseTn, baseTn + baseFn);
      const difference = numerator * columns - base * denominator;
      if (difference === 0) return [numerator === denominator ? 1 : 0, 1];
      return [difference, denominator * (difference > 0 ? columns - base : base)];
    };
    const measures = {
      tp: ([tp]) => [tp, 1], tn: ([, tn]) => [tn, 1], fp: ([, , fp]) => [fp, 1], fn: ([, , , fn]) => [fn, 1],
      p: ([tp, , fp]) => fraction(tp, tp + fp),
      r: ([tp, , , fn]) => fraction(tp, tp + fn),
      f: ([tp, , fp, fn]) => fraction((b + u) * tp, (b + u) * tp + u * fp + b * fn),
      acc: ([tp, tn, fp, fn, fpn]) => fraction(tp + tn, tp + tn + fp + fn - fpn),
      wacc,
      i: improvement,
    };
    const aspects = maximise[0] === "d" ? ["d", "c"] : ["c", "d"];
    const criteria = aspects.flatMap((aspect) =>
      [measures[maximise.slice(1)], improvement, wacc, measures.acc].map(
        (measure) => (t) => measure(seen(t, aspect), t[5], t[6]),
      ),
    );
    const most = [1, 1, -1, -1, -1, 1, -1]; // what breaks the last ties
    return (x, y) => {
      if (x.every((count, k) => count === y[k])) return false;
      for (const criterion of criteria) {
        const order = compareFractions(criterion(x), criterion(y));
        if (order !== 0) return order > 0;
      }
      const k = most.findIndex((_, place) => x[place] !== y[place]);
      return most[k] * x[k] > most[k] * y[k];
    };
  }

  // CLEME, of (hit, wrong, over, missed, kept): higher F to four decimals. CLEME2.0: higher weighted sum. Ties go by more
  // hits, fewer false positives, fewer missed chunks, more kept ones.
  function chunksBetter({ preference, beta, factors }) {
    const merit =
      preference === "cleme"
        ? ([hit, wrong, over, missed]) => tenThousandths(fOfMatches(hit, wrong + over, missed, beta * beta))
        : (totals) => gecval.chunkScore(totals, 0, factors);
    return (x, y) => {
      const ofX = merit(x), ofY = merit(y);
      if (ofX !== ofY) return ofX > ofY;
      // Sums of weights that differ by rounding alone are equal.
      const more = [x[0] - y[0], y[1] + y[2] - (x[1] + x[2]), y[3] - x[3]].find((difference) => Math.abs(difference) > 1e-9);
      return more === undefined ? x[4] > y[4] : more > 0;
    };
  }

  // Weighted edits, of (tp, fp, fn): higher F as it is, then more tp, fewer fp, fewer fn. Rounding decides nothing.
  function weightsBetter({ beta }) {
    const keys = ([tp, fp, fn]) => [fOfMatches(tp, fp, fn, beta * beta), tp, -fp, -fn];
    return (x, y) => {
      const ofY = keys(y);
      const more = keys(x)
        .map((key, k) => key - ofY[k])
        .find((difference) => Math.abs(difference) > 1e-12);
      return more !== undefined && more > 0;
    };
  }

  const BETTER = { imeasure: countsBetter, cleme: chunksBetter, cleme2: chunksBetter, exact: weightsBetter };

  function runningRows(metric, list, system) {
    const { rows, width, rule } = metric;
    const better = (metric.better ??= BETTER[rule.preference](rule));
    let totals = new Float64Array(width);
    const after = (row) => totals.map((total, k) => total + rows[row * width + k]);
    for (const sentence of list) {
      const unit = unitOf(metric, sentence, system);
      let best = after(first(metric, unit));
      for (let row = first(metric, unit) + 1; row < last(metric, unit); row++) {
        const candidate = after(row);
        if (better(candidate, best)) best = candidate;
      }
      totals = best;
    }
    return totals;
  }

  // ERRANT's macro average (native/reference_rules/macro_best.hpp), of (tp, fp, fn) of each type: the row that gives the best mean of F
  // over the types so far, to four decimals; ties: more true positives, fewer false positives, fewer false negatives.
  function runningMacro(metric, list, system) {
    const { rows, width, rule } = metric;
    const squared = rule.beta * rule.beta;
    const totals = new Float64Array(width), f = new Float64Array(width / 3);
    let sum = 0, seen = 0;
    const isEmpty = (counts, at) => counts[at] === 0 && counts[at + 1] === 0 && counts[at + 2] === 0;
    const together = (at, t) =>
      tenThousandths(fOfMatches(totals[t] + rows[at + t], totals[t + 1] + rows[at + t + 1], totals[t + 2] + rows[at + t + 2], squared));
    const merit = (at) => {
      let [mean, types, tp, fp, fn] = [sum, seen, 0, 0, 0];
      for (let t = 0; t < width; t += 3) {
        if (isEmpty(rows, at + t)) continue;
        tp += rows[at + t];
        fp += rows[at + t + 1];
        fn += rows[at + t + 2];
        if (isEmpty(totals, t)) types++;
        mean += together(at, t) - f[t / 3];
      }
      return [types === 0 ? 1e4 : halvesToEven(mean / types), tp, -fp, -fn];
    };
    for (const sentence of list) {
      const unit = unitOf(metric, sentence, system);
      let at = first(metric, unit) * width, highest = merit(at);
      for (let row = first(metric, unit) + 1; row < last(metric, unit); row++) {
        const candidate = merit(row * width);
        const place = candidate.findIndex((value, k) => value !== highest[k]);
        if (place >= 0 && candidate[place] > highest[place]) [at, highest] = [row * width, candidate];
      }
      for (let t = 0; t < width; t += 3) {
        if (isEmpty(rows, at + t)) continue;
        if (isEmpty(totals, t)) seen++;
        const after = together(at, t);
        sum += after - f[t / 3];
        f[t / 3] = after;
        for (let k = t; k < t + 3; k++) totals[k] += rows[at + k];
      }
    }
    return totals;
  }

  function halvesToEven(value) {
    const below = Math.floor(value), rest = value - below;
    return rest > 0.5 || (rest === 0.5 && below % 2 !== 0) ? below + 1 : below;
  }

  /** A rule that sums system by system, for all of them. */
  const forEach = (rule) => (metric, list) => Array.from({ length: metric.systems }, (_, system) => rule(metric, list, system));

  /** Rules that sum once: (metric, list of sentences) → the totals of each system. */
  gecval.sums = { sum, runningBest, runningRows: forEach(runningRows), runningMacro: forEach(runningMacro) };

  /** The first row of a system's output for a sentence, and the row after the last. */
  gecval.rowsOf = (metric, sentence, system) => {
    const unit = unitOf(metric, sentence, system);
    return [first(metric, unit), last(metric, unit)];
  };
})();
