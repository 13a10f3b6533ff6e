"use strict";
// From summed rows to a score: the formulas of all metrics, as in src/gecval/metrics. Every formula is made of the
// metric's parameters, and has
//
//     score(totals)       the score of summed rows
//     sentence(row)       the score of one sentence, where it is smoothed; else as `score`
//     parts(totals)       what the score is made of, by name
//
// The numbers of a row lie in a typed array from `at` on.
(() => {
  const ratio = (numerator, denominator, empty) => (denominator === 0 ? empty : numerator / denominator);

  const fScore = (precision, recall, beta) =>
    ratio((1 + beta * beta) * precision * recall, beta * beta * precision + recall, 0);

  // P = correct / proposed, R = correct / gold; both are 1 where there is nothing to be right about. With unchanged zero,
  // P is 0 where nothing is proposed.
  const m2 = ({ beta, unchanged }) => {
    const precision = (t, at) => ratio(t[at], t[at + 1], unchanged === "zero" ? 0 : 1);
    const recall = (t, at) => ratio(t[at], t[at + 2], 1);
    return {
      score: (t, at = 0) => fScore(precision(t, at), recall(t, at), beta),
      parts: (t) => ({ precision: precision(t, 0), recall: recall(t, 0), correct: t[0], proposed: t[1], gold: t[2] }),
    };
  };

  const errant = ({ beta }) => {
    const precision = (t, at) => ratio(t[at], t[at] + t[at + 1], 1);
    const recall = (t, at) => ratio(t[at], t[at] + t[at + 2], 1);
    return {
      score: (t, at = 0) => fScore(precision(t, at), recall(t, at), beta),
      parts: (t) => ({ precision: precision(t, 0), recall: recall(t, 0), tp: t[0], fp: t[1], fn: t[2] }),
    };
  };

  // (tp, fp, fn) of each type: means over the types that occur.
  const errantMacro = ({ beta }, width) => {
    const means = (t, at) => {
      let [precision, recall, f, seen] = [0, 0, 0, 0];
      for (let k = at; k < at + width; k += 3) {
        if (!(t[k] + t[k + 1] + t[k + 2] > 0)) continue;
        const [p, r] = [ratio(t[k], t[k] + t[k + 1], 1), ratio(t[k], t[k] + t[k + 2], 1)];
        seen++;
        precision += p;
        recall += r;
        f += fScore(p, r, beta);
      }
      return { precision: ratio(precision, seen, 1), recall: ratio(recall, seen, 1), f: ratio(f, seen, 1) };
    };
    const column = (t, which) => t.reduce((sum, count, k) => sum + (k % 3 === which ? count : 0), 0);
    return {
      score: (t, at = 0) => means(t, at).f,
      parts: (t) => {
        const { precision, recall } = means(t, 0);
        return { precision, recall, tp: column(t, 0), fp: column(t, 1), fn: column(t, 2) };
      },
    };
  };

  // (tp, fp, fn, tn) of weighted chunks
  const gotoscorer = ({ beta, empty }) => {
    const precision = (t, at) => ratio(t[at], t[at] + t[at + 1], empty);
    const recall = (t, at) => ratio(t[at], t[at] + t[at + 2], empty);
    return {
      score: (t, at = 0) => fScore(precision(t, at), recall(t, at), beta),
      parts: (t) => ({ precision: precision(t, 0), recall: recall(t, 0), tp: t[0], fp: t[1], fn: t[2], tn: t[3] }),
    };
  };

  // (hit, wrong, over, missed, kept) chunks
  const cleme = ({ beta }) => {
    const precision = (t, at) => ratio(t[at], t[at] + t[at + 1] + t[at + 2], 1);
    const recall = (t, at) => ratio(t[at], t[at] + t[at + 3], 1);
    return {
      score: (t, at = 0) => fScore(precision(t, at), recall(t, at), beta),
      parts: (t) => ({ precision: precision(t, 0), recall: recall(t, 0), tp: t[0], fp: t[1] + t[2], fn: t[3], tn: t[4] }),
    };
  };

  function chunkShares(t, at) {
    const [hit, wrong, over, missed] = [t[at], t[at + 1], t[at + 2], t[at + 3]];
    const necessary = hit + wrong + missed;
    return {
      hit: ratio(hit, necessary, 0), wrong: ratio(wrong, necessary, 0), under: ratio(missed, necessary, 0),
      over: ratio(over, hit + wrong + over, 0),
    };
  }

  /** The weighted sum of CLEME2.0; its rule chooses by it too. */
  gecval.chunkScore = (t, at, [a, b, c, d]) => {
    const { hit, wrong, under, over } = chunkShares(t, at);
    return a * hit + b * (1 - wrong) + c * (1 - under) + d * (1 - over);
  };

  const cleme2 = ({ factors }) => ({
    score: (t, at = 0) => gecval.chunkScore(t, at, factors),
    parts: (t) => chunkShares(t, 0),
  });

  // (c, r, num₁, den₁, num₂, den₂, …): 0 as soon as one count is not above 0; a sentence takes 1 in its place.
  const gleu = (_, width) => {
    const of = (value) => {
      let logs = 0;
      for (let k = 2; k < width; k += 2) logs += Math.log(value(k) / value(k + 1));
      return Math.exp(Math.min(0, 1 - value(1) / value(0)) + logs / ((width - 2) / 2));
    };
    return {
      score: (t, at = 0) => {
        for (let k = 0; k < width; k++) if (!(t[at + k] > 0)) return 0;
        return of((k) => t[at + k]);
      },
      sentence: (t, at = 0) => of((k) => (t[at + k] <= 0 ? 1 : t[at + k])),
      parts: () => ({}),
    };
  };

  // (c, r, shortest reference, matched₁, n-grams₁, matched₂, …) from `at` on, for `orders` orders.
  const logBrevity = (t, at) => Math.min(0, 1 - t[at + 1] / Math.max(t[at], 1));

  function bleuScore(t, at, orders) {
    let logs = 0;
    for (let n = 0; n < orders; n++) {
      const matched = t[at + 3 + 2 * n];
      if (!(matched > 0)) return 0;
      logs += Math.log(matched / Math.max(t[at + 4 + 2 * n], 1));
    }
    return Math.exp(logBrevity(t, at) + logs / orders);
  }

  // The k-th order without a match counts as 1/2ᵏ matches; orders beyond hypothesis or reference do not count.
  function smoothedBleu(t, at, orders) {
    const reached = Math.min(t[at], t[at + 2]);
    if (!(t[at + 3] > 0 && reached > 0)) return 0;
    let logs = 0, used = 0, unmatched = 0;
    for (let n = 0; n < orders; n++) {
      const matched = t[at + 3 + 2 * n];
      if (matched === 0) unmatched++;
      if (n + 1 > reached) continue;
      used++;
      logs += Math.log((matched === 0 ? 0.5 ** unmatched : matched) / Math.max(t[at + 4 + 2 * n], 1));
    }
    return Math.exp(logBrevity(t, at) + logs / Math.max(used, 1));
  }

  const bleu = (_, width) => {
    const orders = (width - 3) / 2;
    return {
      score: (t, at = 0) => bleuScore(t, at, orders),
      sentence: (t, at = 0) => smoothedBleu(t, at, orders),
      parts: () => ({}),
    };
  };

  const ibleu = ({ alpha, sign }, width) => {
    const half = width / 2, orders = (half - 3) / 2;
    const weighed = (of) => (t, at = 0) => alpha * of(t, at, orders) + sign * (1 - alpha) * of(t, at + half, orders);
    return { score: weighed(bleuScore), sentence: weighed(smoothedBleu), parts: () => ({}) };
  };

  // (tp, fp, fn) of each order; geometric means, 0 as soon as one of the ratios is 0.
  const green = ({ beta, noRecall }, width) => {
    const mean = (t, at, other, empty) => {
      let logs = 0;
      for (let k = 0; k < width; k += 3) {
        const share = ratio(t[at + k], t[at + k] + t[at + k + other], empty);
        if (!(share > 0)) return 0;
        logs += Math.log(share);
      }
      return Math.exp(logs / (width / 3));
    };
    return {
      score: (t, at = 0) => fScore(mean(t, at, 1, 1), mean(t, at, 2, noRecall), beta),
      parts: (t) => ({ precision: mean(t, 0, 1, 1), recall: mean(t, 0, 2, noRecall) }),
    };
  };

  // (keep, delete, add, sentences)
  const sari = () => ({
    score: (t, at = 0) => (t[at] / t[at + 3] + t[at + 1] / t[at + 3] + t[at + 2] / t[at + 3]) / 3,
    parts: (t) => ({ keep: t[0] / t[3], delete: t[1] / t[3], add: t[2] / t[3] }),
  });

  // For each order and operation (good, proposed, wanted).
  const sariOfCorpus = (_, width) => {
    const orders = width / 9;
    const operation = (t, at, which) => {
      let sum = 0;
      for (let n = 0; n < orders; n++) {
        const k = at + 9 * n + 3 * which;
        sum += fScore(ratio(t[k], t[k + 1], 0), ratio(t[k], t[k + 2], 0), 1);
      }
      return sum / orders;
    };
    return {
      score: (t, at = 0) => (operation(t, at, 0) + operation(t, at, 1) + operation(t, at, 2)) / 3,
      parts: (t) => ({ keep: operation(t, 0, 0), delete: operation(t, 0, 1), add: operation(t, 0, 2) }),
    };
  };

  // (tp, tn, fp, fn, fpn) of correction, (tn, fn) of the source. A word changed in the wrong way is still detected.
  const imeasure = ({ weight, beta, detection, unchanged }) => {
    const counts = (t, at) => {
      const [tp, tn, fp, fn, fpn] = [t[at], t[at + 1], t[at + 2], t[at + 3], t[at + 4]];
      return detection ? [tp + fpn, tn, fp - fpn, fn - fpn, 0] : [tp, tn, fp, fn, fpn];
    };
    const wacc = (t, at) => {
      const [tp, tn, fp, fn, fpn] = counts(t, at);
      return ratio(weight * tp + tn, weight * (tp + fp) + tn + fn - ((weight + 1) * fpn) / 2, 1);
    };
    const baseline = (t, at) => ratio(t[at + 5], t[at + 5] + t[at + 6], 1);
    return {
      score: (t, at = 0) => {
        const [ours, base] = [wacc(t, at), baseline(t, at)];
        if (ours === base) return unchanged === "zero" ? 0 : Math.floor(ours);
        return ours > base ? ratio(ours - base, 1 - base, 0) : ratio(ours, base, 1) - 1;
      },
      parts: (t) => {
        const [tp, tn, fp, fn, fpn] = counts(t, 0);
        const [precision, recall, base] = [ratio(tp, tp + fp, 1), ratio(tp, tp + fn, 1), baseline(t, 0)];
        return {
          tp, tn, fp, fn, fpn, base_tn: t[5], base_fn: t[6],
          precision, recall, f: fScore(precision, recall, beta),
          acc: ratio(tp + tn, tp + tn + fp + fn - fpn, 1), wacc: wacc(t, 0), base_acc: base, base_wacc: base,
        };
      },
    };
  };

  // (value, 1)
  const mean = ({ parts: names = [] }) => ({
    score: (t, at = 0) => t[at] / t[at + 1],
    parts: (t) => Object.fromEntries(names.map((name, i) => [name, t[i + 2]])),
  });

  // (first metric, second metric, ..., 1)
  const interpolated = ({ factors, parts: names }) => ({
    score: (t, at = 0) => factors.reduce((sum, factor, i) => sum + factor * (t[at + i] / t[at + factors.length]), 0),
    parts: (t) => Object.fromEntries(names.map((name, i) => [name, t[i] / t[names.length]])),
  });

  // (errors, tokens)
  const grammaticality = () => ({
    score: (t, at = 0) => 1 - t[at] / Math.max(t[at + 1], 1),
    parts: (t) => ({ errors: t[0], tokens: t[1] }),
  });

  // (−log p, tokens)
  const perplexity = () => ({
    score: (t, at = 0) => Math.exp(ratio(t[at], t[at + 1], 0)),
    parts: (t) => ({ nats: t[0], tokens: t[1] }),
  });

  // How many sentences had each outcome.
  const scribendi = ({ values }) => ({
    score: (t, at = 0) => values.reduce((sum, value, k) => sum + value * t[at + k], 0),
    parts: (t) => ({ better: t[0], unchanged: t[1], "less likely": t[2], "unlike the source": t[3] }),
  });

  // (wins over each system, losses to each): the mean share of wins; ½ where two never differ, as a system and itself.
  const expectedWins = (_, width) => ({
    score: (t, at = 0) => {
      const systems = width / 2;
      let shares = -0.5;
      for (let k = at; k < at + systems; k++) shares += ratio(t[k], t[k] + t[k + systems], 0.5);
      return shares / (systems - 1);
    },
    parts: () => ({}),
  });

  // A metric that the page does not know: its sentence score is its only number.
  const unknown = () => ({ score: (t, at = 0) => t[at], parts: () => ({}) });

  const FORMULAS = {
    m2, errant, errantMacro, gotoscorer, cleme, cleme2, gleu, bleu, ibleu, green, sari, sariOfCorpus, imeasure, mean, interpolated, grammaticality, perplexity,
    scribendi, expectedWins, unknown,
  };

  /** The formula of a metric whose rows have `width` numbers. */
  gecval.formula = (given, width) => {
    const made = FORMULAS[given ? given.name : "unknown"](given ?? {}, width);
    return { sentence: made.score, ...made };
  };
})();
