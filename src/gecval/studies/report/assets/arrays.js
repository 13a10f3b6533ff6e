"use strict";
// Unpacks the data of the page: lines of base64, each a deflated part. The last line is a JSON object that names the
// others. What is known of an output is packed once for all systems that gave it.
const gecval = {};

(() => {
  const TYPES = { u1: Uint8Array, i1: Int8Array, u2: Uint16Array, i2: Int16Array, u4: Uint32Array, i4: Int32Array, f4: Float32Array, f8: Float64Array };

  async function inflated(line) {
    const binary = atob(line);
    const bytes = new Uint8Array(binary.length);
    for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Response(stream).arrayBuffer();
  }

  /** The parts by number, each unpacked when it is asked for. */
  class Parts {
    constructor(lines) {
      this.lines = lines;
    }

    async json(number) {
      return JSON.parse(new TextDecoder().decode(await inflated(this.lines[number])));
    }

    /** Numbers: themselves, or places in a list of the different ones. */
    async array({ part, type, values }) {
      const places = new TYPES[type](await inflated(this.lines[part]));
      if (values === undefined) return places;
      const different = new Float64Array(await inflated(this.lines[values]));
      return Float64Array.from(places, (place) => different[place]);
    }

    arrays(packed) {
      return Promise.all(packed.map((item) => this.array(item)));
    }
  }

  /** Where each of several runs starts, and the end of the last. */
  gecval.startsOf = (counts) => {
    const starts = new Int32Array(counts.length + 1);
    for (let i = 0; i < counts.length; i++) starts[i + 1] = starts[i] + counts[i];
    return starts;
  };

  /** Columns as rows: [row * columns + column]. */
  function interleaved(columns) {
    const width = columns.length;
    const whole = columns.every((column) => !(column instanceof Float64Array));
    const rows = new (whole ? Int32Array : Float64Array)(columns[0].length * width);
    columns.forEach((column, c) => {
      for (let r = 0; r < column.length; r++) rows[r * width + c] = column[r];
    });
    return rows;
  }

  /** For each output, the number of its first row. `sentenceOf` says which sentence an output is of. */
  function rowStarts(counts, sentenceOf) {
    if (counts === null) return null; // one row for each output: its own number
    return gecval.startsOf(Int32Array.from(sentenceOf, (sentence) => counts[sentence]));
  }

  /** What scoring needs to know of a metric; a worker gets a copy. */
  async function scoring(parts, metric, outputs, systems) {
    const counts = metric.counts && (await parts.array(metric.counts));
    const sentenceOf = metric.shared ? outputs.sentenceOf : Int32Array.from({ length: outputs.units.length }, (_, at) => Math.floor(at / systems));
    return {
      formula: metric.formula,
      rule: metric.rule,
      aggregate: metric.aggregate,
      width: metric.columns.length,
      rows: interleaved(await parts.arrays(metric.columns)),
      starts: rowStarts(counts, sentenceOf),
      units: metric.shared ? outputs.units : null, // null: no two systems share
      size: sentenceOf.length,
    };
  }

  /** Lists of edits [start, end, correction, type, ...more], one for each count. */
  async function editLists(parts, packed, corrections, more = []) {
    const counts = await parts.array(packed.counts);
    const [start, end, correction, type, ...others] = await parts.arrays([...packed.columns, ...more]);
    let at = 0;
    return Array.from(counts, (count) => {
      const edits = [];
      for (const last = at + count; at < last; at++) {
        edits.push([start[at], end[at], corrections[correction[at]], type[at], ...others.map((other) => other[at])]);
      }
      return edits;
    });
  }

  /** The gold edits that each output lacks, of the reference that it follows closest. */
  async function missedLists(parts, packed, gold, outputs, slots) {
    const closest = await parts.array(packed.closest);
    const counts = await parts.array(packed.lacking.counts);
    const numbers = await parts.array(packed.lacking.edits);
    let at = 0;
    return Array.from(counts, (count, output) => {
      const edits = gold[slots[outputs.sentenceOf[output]] + closest[output]];
      const missed = Array.from(numbers.subarray(at, at + count), (number) => edits[number]);
      at += count;
      return missed;
    });
  }

  async function unpacked(lines) {
    const parts = new Parts(lines);
    const packed = await parts.json(lines.length - 1);
    const systems = packed.systems.length;
    const [texts, corrections] = await Promise.all([parts.json(packed.texts), parts.json(packed.corrections)]);
    const units = Int32Array.from(await parts.array(packed.units));
    const sentenceOf = Int32Array.from(texts.flatMap(([, , outputs], sentence) => outputs.map(() => sentence)));
    const outputs = { units, sentenceOf };
    const slots = gecval.startsOf(await parts.array(packed.referenceCounts));
    const gold = await editLists(parts, packed.gold, corrections);
    const proposed = await editLists(parts, packed.proposed, corrections, [packed.proposed.status, packed.proposed.agree]);
    const missed = await missedLists(parts, packed, gold, outputs, slots);
    const outputTexts = texts.flatMap(([, , different]) => different);
    const scorings = await Promise.all(packed.metrics.map((metric) => scoring(parts, metric, outputs, systems)));

    /** What is known of outputs, by sentence and system. */
    const bySystem = (list) =>
      texts.map((_, sentence) => Array.from(units.subarray(sentence * systems, (sentence + 1) * systems), (unit) => list[unit]));
    const deciding = await Promise.all(
      packed.deciding.map(async (entry) => ({ ...entry, influence: await parts.array(entry.influence) })),
    );
    const data = {
      ...packed,
      metrics: packed.metrics.map(({ columns, counts, shared, ...shown }) => shown),
      sources: texts.map(([source]) => source),
      references: texts.map(([, references]) => references),
      outputs: bySystem(outputTexts),
      referenceEdits: texts.map((_, sentence) => gold.slice(slots[sentence], slots[sentence + 1])),
      outputEdits: bySystem(proposed),
      missed: bySystem(missed),
      deciding,
    };
    for (const name of ["texts", "units", "corrections", "gold", "proposed", "closest", "lacking", "referenceCounts"]) delete data[name];
    return { data, scorings };
  }

  // What Python's str.split takes for blanks; \s lacks some of these, and has U+FEFF besides.
  const BLANKS = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;

  /** The tokens of a text, as Python's str.split gives them. */
  gecval.tokens = (text) => text.split(BLANKS).filter((token) => token !== "");

  let loaded = null;

  /** Unpack everything into `gecval.data`. */
  gecval.load = () => {
    loaded ??= (async () => {
      const element = document.getElementById("gecval-parts");
      const lines = element.textContent.trim().split("\n");
      element.remove(); // megabytes that nobody looks at again
      const { data, scorings } = await unpacked(lines);
      gecval.data = data;
      gecval.startScoring(scorings);
      return data;
    })();
    return loaded;
  };
})();
