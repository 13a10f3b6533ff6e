// Choices → which sentences (a mask of 0 and 1), and in which order.
(() => {
  "use strict";

  const { OUTCOMES, BY_STATUS, agreement, isRight } = gecval;

  /** A mask from a question about every sentence; kept until one of the choices that it rests on changes. */
  function kept(names, isIn) {
    let key = null;
    let mask = null;
    return (state) => {
      const now = names.map((name) => state[name]).join("|");
      if (now !== key) {
        const test = isIn(state);
        mask = test && Uint8Array.from({ length: gecval.data.sentences }, (_, sentence) => (test(sentence) ? 1 : 0));
        key = now;
      }
      return mask;
    };
  }

  let lengths = null;
  const sourceLengths = () => (lengths ??= gecval.data.sources.map((source) => gecval.tokens(source).length));

  const byLength = kept(["min", "max"], ({ min, max }) => {
    if (!min && !max) return null;
    const tokens = sourceLengths();
    return (sentence) => tokens[sentence] >= min && (!max || tokens[sentence] <= max);
  });

  /** 1 where A is better than B in a sentence, −1 where it is worse, 0 where they are equal or one has no score. */
  function turnOf({ metric, a, b }, sentence) {
    const difference = sentenceScore(metric, sentence, a) - sentenceScore(metric, sentence, b);
    if (!(Math.abs(difference) > 1e-12)) return 0;
    return Math.sign(difference) * (gecval.data.metrics[metric].higher ? 1 : -1);
  }

  const byTurn = kept(["turn", "metric", "a", "b"], (state) => {
    const wanted = { better: 1, worse: -1, equal: 0 }[state.turn];
    return wanted === undefined || gecval.data.systems.length < 2 ? null : (sentence) => turnOf(state, sentence) === wanted;
  });

  const byRightness = kept(["right", "a", "b"], ({ right, a, b }) => {
    if (!right) return null;
    const wanted = { a: [true, false], b: [false, true], both: [true, true], neither: [false, false] }[right];
    return wanted && ((sentence) => isRight(sentence, a) === wanted[0] && isRight(sentence, b) === wanted[1]);
  });

  const byDecision = kept(["deciding", "metric", "a", "b"], (state) => {
    const decision = state.deciding && decisionOf(state);
    if (!decision) return null;
    const set = new Set(decision.sentences);
    return (sentence) => set.has(sentence) === (state.deciding === "only");
  });

  /** Whether a number of agreeing references is the one asked for: "0", or "2+" for at least two. */
  const agreementTest = (agree) => (agree.endsWith("+") ? (n) => n >= parseInt(agree, 10) : (n) => n === Number(agree));

  // One edit must answer all four questions: its type, what became of it, whose it is, how many references have it.
  const byEdit = kept(["type", "outcome", "by", "agree"], ({ type, outcome, by, agree }) => {
    if (type < 0 && !outcome && by < 0 && !agree) return null;
    const { systems, referenceEdits, outputEdits, missed } = gecval.data;
    const hasType = (edit) => type < 0 || edit[3] === type;
    const enough = agree ? agreementTest(agree) : () => true;
    const goldAgreement = (sentence, [start, end, correction]) => agreement(sentence, { start, end, correction });
    const authors = by >= 0 ? [by] : systems.map((_, system) => system);
    const wantsMade = outcome !== "missed";
    const wantsMissed = !outcome || outcome === "missed";
    const madeFits = (edit) => hasType(edit) && (!outcome || BY_STATUS[edit[4]] === outcome) && enough(edit[5]);
    return (sentence) => {
      const goldFits = (edit) => hasType(edit) && (!agree || enough(goldAgreement(sentence, edit)));
      if (wantsMade && authors.some((system) => outputEdits[sentence][system].some(madeFits))) return true;
      if (wantsMissed && authors.some((system) => missed[sentence][system].some(goldFits))) return true;
      return !outcome && by < 0 && referenceEdits[sentence].some((edits) => edits.some(goldFits));
    };
  });

  /** What the data say about the sentences that decide between A and B; turned around where they hold B against A. */
  function decisionOf({ metric, a, b }) {
    const all = gecval.data.deciding ?? [];
    const straight = all.find((entry) => entry.metric === metric && entry.a === a && entry.b === b);
    if (straight) return straight;
    const turned = all.find((entry) => entry.metric === metric && entry.a === b && entry.b === a);
    if (!turned) return null;
    const { difference, without, influence } = turned;
    return { ...turned, a, b, difference: -difference, without: -without, influence: influence.map((value) => -value) };
  }

  /** The mask of all filters together, how many sentences it keeps, and a message where the search cannot be used. */
  async function select(state) {
    const { mask: found, message } = await gecval.search(state.q, Boolean(state.regex));
    const masks = [found, byLength(state), byTurn(state), byRightness(state), byDecision(state), byEdit(state)].filter(Boolean);
    const mask = new Uint8Array(gecval.data.sentences).fill(1);
    for (const part of masks) for (let i = 0; i < mask.length; i++) mask[i] &= part[i];
    return { mask, count: mask.reduce((sum, bit) => sum + bit, 0), message };
  }

  /** A sentence's score, undefined ones included (NaN). */
  const sentenceScore = (metric, sentence, system) =>
    gecval.data.sentenceScores[metric][sentence * gecval.data.systems.length + system];

  /** What sentences are sorted by: a function of the sentence, or null for the order of the file. */
  function sortKey(state) {
    const { metric, a, b, sort } = state;
    if (sort === "length") return (sentence) => sourceLengths()[sentence];
    if (sort === "difference")
      return (sentence) => sentenceScore(metric, sentence, a) - sentenceScore(metric, sentence, b);
    if (sort === "influence") {
      const influence = decisionOf(state)?.influence;
      return influence ? (sentence) => influence[sentence] : null;
    }
    const system = /^score-(\d+)$/.exec(sort)?.[1];
    return system === undefined ? null : (sentence) => sentenceScore(metric, sentence, Number(system));
  }

  /** The chosen sentences in the chosen order. Undefined scores come last; ties stay in the order of the file. */
  function ordered(state, mask) {
    const sentences = [];
    for (let sentence = 0; sentence < mask.length; sentence++) if (mask[sentence]) sentences.push(sentence);
    const key = sortKey(state);
    if (!key) return state.down ? sentences.reverse() : sentences;
    const values = new Map(sentences.map((sentence) => [sentence, key(sentence)]));
    const sign = state.down ? -1 : 1;
    return sentences.sort((first, second) => {
      const x = values.get(first);
      const y = values.get(second);
      if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) - Number.isNaN(y) || first - second;
      return sign * (x - y) || first - second;
    });
  }

  Object.assign(gecval, { select, ordered, turnOf, decisionOf, sentenceScore, sourceLengths });
  gecval.outcomeNames = Object.keys(OUTCOMES);
})();
