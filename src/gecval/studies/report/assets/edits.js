// Edits of a sentence, with what became of them: right, wrong, missed, unneeded.
(() => {
  "use strict";

  // Every outcome has a sign and a kind of line besides its colour: the page can be read in grey.
  const OUTCOMES = {
    right: { sign: "✓", meaning: "right: a reference has this edit" },
    wrong: { sign: "✗", meaning: "wrong: a reference changes this place otherwise" },
    missed: { sign: "○", meaning: "missed: a reference changes this place, the system does not" },
    unneeded: { sign: "+", meaning: "unneeded: no reference changes this place" },
  };
  const BY_STATUS = ["right", "wrong", "unneeded"]; // as the data number them

  const fromReference = ([start, end, correction, type]) => ({ start, end, correction, type, outcome: "gold" });

  /** Edits of all references of a sentence: one list per reference. */
  const referenceEdits = (sentence) => gecval.data.referenceEdits[sentence].map((edits) => edits.map(fromReference));

  /** What a system did in a sentence. Without references nothing can be said about it but that it is a change. */
  function madeEdits(sentence, system) {
    const judged = gecval.data.references[sentence].length > 0;
    return gecval.data.outputEdits[sentence][system].map(([start, end, correction, type, status, agree]) => {
      return { start, end, correction, type, outcome: judged ? BY_STATUS[status] : "change", agree };
    });
  }

  /** What a system left undone. */
  const missedEdits = (sentence, system) =>
    gecval.data.missed[sentence][system].map((edit) => ({ ...fromReference(edit), outcome: "missed" }));

  /** How many references have an edit. */
  function agreement(sentence, { start, end, correction }) {
    const same = (edit) => edit[0] === start && edit[1] === end && edit[2] === correction;
    return gecval.data.referenceEdits[sentence].filter((edits) => edits.some(same)).length;
  }

  /** Whether a system's sentence is right: nothing wrong, missed or unneeded. */
  function isRight(sentence, system) {
    const made = gecval.data.outputEdits[sentence][system];
    return made.every((edit) => edit[4] === 0) && gecval.data.missed[sentence][system].length === 0;
  }

  const touches = (first, second) =>
    first.start === first.end || second.start === second.end
      ? first.start <= second.end && second.start <= first.end
      : first.start < second.end && second.start < first.end;

  /** What a system's row shows: its edits, and what it missed where it did nothing else. */
  function systemEdits(sentence, system) {
    const made = madeEdits(sentence, system);
    const left = missedEdits(sentence, system);
    for (const edit of made)
      edit.instead = edit.outcome === "wrong" ? left.find((gold) => touches(edit, gold)) : undefined;
    const missed = left.filter((gold) => !made.some((edit) => touches(edit, gold)));
    return [...made, ...missed].sort((first, second) => first.start - second.start || first.end - second.end);
  }

  /** Numbers of right, wrong, missed and unneeded edits by type, with what a resample of sentences would do to them. */
  function countsByType(system, mask) {
    const counts = gecval.data.types.map(() =>
      Object.fromEntries(Object.keys(OUTCOMES).map((name) => [name, { sum: 0, squares: 0 }])),
    );
    let sentences = 0;
    for (let sentence = 0; sentence < gecval.data.sentences; sentence++) {
      if (mask && !mask[sentence]) continue;
      sentences++;
      const here = new Map();
      const note = (type, outcome) => {
        const key = `${type} ${outcome}`;
        here.set(key, (here.get(key) ?? 0) + 1);
      };
      for (const edit of gecval.data.outputEdits[sentence][system]) note(edit[3], BY_STATUS[edit[4]]);
      for (const edit of gecval.data.missed[sentence][system]) note(edit[3], "missed");
      for (const [key, value] of here) {
        const [type, outcome] = key.split(" ");
        const count = counts[type]?.[outcome];
        if (count) {
          count.sum += value;
          count.squares += value * value;
        }
      }
    }
    for (const outcomes of counts)
      for (const count of Object.values(outcomes)) count.interval = sumInterval(count, sentences);
    return counts;
  }

  /** The 95% interval of a sum over n sentences, sum ± 1.96 √(n · variance): what many resamples tend to. */
  function sumInterval({ sum, squares }, n) {
    if (n < 2) return null;
    const half = 1.96 * Math.sqrt(Math.max(0, (n * (squares - (sum * sum) / n)) / (n - 1)));
    return [Math.max(0, sum - half), sum + half];
  }

  /** Whether an edit is one that the filters ask for: these stand out among the others. */
  function isSought(sentence, { start, end, correction, type, outcome }) {
    const { type: wanted, outcome: became } = gecval.state;
    if (wanted < 0 && !became) return false;
    if (wanted >= 0 && type !== wanted) return false;
    return !became || outcome === became;
  }

  // ERRANT's names of types, in words. What it adds to a part of speech stands behind it.
  const OPERATIONS = { M: "missing", R: "wrong", U: "needless" };
  const WORDS = {
    ADJ: "adjective",
    "ADJ:FORM": "form of an adjective",
    ADV: "adverb",
    CONJ: "conjunction",
    CONTR: "contraction",
    DET: "article or determiner",
    MORPH: "word of the same root, other class",
    NOUN: "noun",
    "NOUN:INFL": "inflection of a noun",
    "NOUN:NUM": "singular or plural",
    "NOUN:POSS": "possessive",
    ORTH: "case or blanks",
    OTHER: "words of another kind",
    PART: "particle",
    PREP: "preposition",
    PRON: "pronoun",
    PUNCT: "punctuation",
    SPELL: "spelling",
    VERB: "verb",
    "VERB:FORM": "form of a verb",
    "VERB:INFL": "inflection of a verb",
    "VERB:SVA": "agreement of subject and verb",
    "VERB:TENSE": "tense of a verb",
    WO: "word order",
  };

  /** What a type means, "" where it is not ERRANT's. */
  function typeMeaning(name) {
    const [operation, ...rest] = name.split(":");
    const what = WORDS[rest.join(":")];
    return OPERATIONS[operation] && what ? `${OPERATIONS[operation]} ${what}` : (WORDS[name] ?? "");
  }

  const typeTitle = (name) => (typeMeaning(name) ? `${name} (${typeMeaning(name)})` : name);

  Object.assign(gecval, {
    isSought,
    typeMeaning,
    typeTitle,
    OUTCOMES,
    BY_STATUS,
    referenceEdits,
    systemEdits,
    agreement,
    isRight,
    countsByType,
    touches,
  });
})();
